/**
 * Takes a picture of every page of the dashboard, light and dark, wide and narrow, from a platform that it starts and
 * fills: `bun scripts/screenshots.ts [--out docs/screenshots] [--only overview,arena] [--patience 40]`. Ends with 1 where
 * a page complains on the console, breaks a rule of accessibility seriously, or is wider than its window.
 */
import { Effect } from "effect"
import { mkdirSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { parseArgs } from "node:util"
import type { Browser } from "playwright-core"
import { launched } from "../test/lib/Chromium.ts"
import { DashboardVisit } from "../test/lib/DashboardVisit.ts"
import { startServer } from "../test/lib/ServerProcess.ts"
import type { ServerProcess } from "../test/lib/ServerProcess.ts"
import { temporaryFolder } from "../test/lib/TemporaryFolder.ts"
import { OPERATOR, populate } from "./screenshots/Populated.ts"
import { inside, OUTSIDE } from "./screenshots/Shots.ts"
import type { Shot } from "./screenshots/Shots.ts"
import { smaller } from "./screenshots/SmallPng.ts"

const { values } = parseArgs({
  options: {
    out: { type: "string", default: "docs/screenshots" },
    only: { type: "string", default: "" },
    patience: { type: "string", default: "40" }
  }
})

const OUT = resolve(import.meta.dir, "..", values.out)
const WANTED = values.only.split(",").filter((name) => name !== "")
const LOOKS = [
  { width: 1440, height: 900, dark: false },
  { width: 1440, height: 900, dark: true },
  { width: 390, height: 844, dark: false },
  { width: 390, height: 844, dark: true }
] as const

/** Milliseconds for a chart to be drawn. */
const DRAWN = 250

const isWanted = ({ name }: Shot): boolean => WANTED.length === 0 || WANTED.includes(name)

const take = Effect.fnUntraced(function* (visit: DashboardVisit, { name, path }: Shot, look: (typeof LOOKS)[number]) {
  yield* visit.go(path)
  yield* Effect.sleep(DRAWN)
  const file = join(OUT, `${name}-${look.width}-${look.dark ? "dark" : "light"}.png`)
  writeFileSync(file, smaller(yield* visit.act((page) => page.screenshot())))
  const found = [
    ...(yield* visit.violations).map(({ id, where }) => `axe: ${id}: ${where[0]}`),
    ...((yield* visit.overflow) > 0 ? [`wider than the window by ${yield* visit.overflow}`] : []),
    ...visit.complaints.splice(0)
  ]
  return found.map((what) => `${name} ${look.width} ${look.dark ? "dark" : "light"}: ${what}`)
})

const looked = (
  browser: Browser,
  { person, url }: ServerProcess,
  look: (typeof LOOKS)[number],
  shots: ReadonlyArray<Shot>
) =>
  Effect.scoped(
    Effect.gen(function* () {
      const visit = yield* DashboardVisit.begin(browser, url, look)
      const found: Array<string> = []
      for (const shot of OUTSIDE.filter(isWanted)) found.push(...(yield* take(visit, shot, look)))
      yield* visit.signIn(person.name, person.secret)
      for (const shot of shots.filter(isWanted)) found.push(...(yield* take(visit, shot, look)))
      return found
    })
  )

const program = Effect.gen(function* () {
  mkdirSync(OUT, { recursive: true })
  const server = yield* startServer({
    DATA_DIR: join(yield* temporaryFolder, "data"),
    ARENA_PROFILE: "demo",
    SANDBOX_TRADERS: "6",
    ADMIN_EMAIL: OPERATOR.email,
    ADMIN_PASSWORD: OPERATOR.password,
    WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8"
  })
  const shots = inside(yield* populate(server, Number(values.patience)))
  const browser = yield* launched
  const found: Array<string> = []
  for (const look of LOOKS) found.push(...(yield* looked(browser, server, look, shots)))
  return found
})

const found = await Effect.runPromise(Effect.scoped(program))
for (const line of found) console.log(line)
console.log(found.length === 0 ? `pictures are in ${values.out}` : `${found.length} things to mend`)
process.exit(found.length === 0 ? 0 : 1)
