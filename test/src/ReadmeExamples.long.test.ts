import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { chmodSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { itLive } from "../lib/Effects.ts"
import { type ServerProcess, startServer } from "../lib/ServerProcess.ts"
import { temporaryFolder } from "../lib/TemporaryFolder.ts"

const ROOT = join(import.meta.dir, "..", "..")

/** Sections whose lines a newcomer copies into one shell, in their order: from the first heading to before the last. */
interface Walk {
  readonly page: string
  readonly first: string
  readonly after: string
  readonly examples: number
}

const WALKS: ReadonlyArray<Walk> = [
  { page: "README.md", first: "## Commit", after: "## How it is made", examples: 7 },
  { page: "docs/concepts/bots.md", first: "## The first bot", after: "## What it decides", examples: 6 }
]

const LIMIT = 120_000

/** Lines to copy, and what the page says that they print. */
interface Example {
  readonly lines: string
  readonly printed: string
}

const examplesOf = ({ after, first, page }: Walk): ReadonlyArray<Example> => {
  const whole = readFileSync(join(ROOT, page), "utf8")
  const text = whole.slice(whole.indexOf(first), whole.indexOf(after))
  const blocks = [...text.matchAll(/```sh\n([\s\S]*?)```\s+(?:[^`]*?)```(?:json|text)\n([\s\S]*?)```/g)]
  return blocks.map(([, lines = "", printed = ""]) => ({ lines, printed }))
}

/** What is the same each time: ids, hashes, times and numbers are not. */
const shapeOf = (printed: string): string =>
  printed
    .replaceAll(/\b(0x)?[0-9a-f]{24,64}\b/g, "HASH")
    .replaceAll(/\b([a-z]{3})_[0-9a-z]+(_\d+)?/g, "$1_ID")
    .replaceAll(/"id":"\d+_[0-9a-f]+"/g, '"id":"ENTRY"')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME")
    .replaceAll(/"modelVersion":"[^"]*"/g, '"modelVersion":"VERSION"')
    .replaceAll(/-?\d+(\.\d+)?/g, "N")

const MARK = "=== end of an example"

const settings = ({ client, said, url }: ServerProcess): ReadonlyArray<readonly [string, string]> => [
  ["URL", url],
  ["SECRET", client.secret],
  ["ADMIN_PASSWORD", /First administrator.* (\S+)$/m.exec(said().stdout)?.[1] ?? ""]
]

/** The examples' lines with the values that the banner shows, in one script. */
const scriptOf = (examples: ReadonlyArray<Example>, server: ServerProcess): string => {
  const script = examples.map(({ lines }) => `${lines}\necho "${MARK}"\n`).join("")
  return settings(server).reduce(
    (text, [name, value]) => text.replaceAll(new RegExp(`^${name}=.*$`, "gm"), `${name}='${value}'`),
    script
  )
}

/** A folder with a `curl` in it, the same on every machine. */
const curl = Effect.map(temporaryFolder, (folder) => {
  const program = join(folder, "curl")
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${join(ROOT, "test/lib/CurlStandIn.ts")}' "$@"\n`)
  chmodSync(program, 0o755)
  return folder
})

/** Runs a script in one shell, with the programs of a folder before all others. */
const runIn = (folder: string, script: string) => {
  const env = { ...process.env, PATH: `${folder}:${process.env["PATH"] ?? ""}` }
  return Bun.spawnSync(["sh", "-c", script], { cwd: ROOT, env, stderr: "pipe" })
}

describe("What a newcomer copies into one shell", () => {
  for (const walk of WALKS) {
    itLive(
      `prints what ${walk.page} says`,
      () =>
        Effect.gen(function* () {
          const examples = examplesOf(walk)
          expect(examples.length).toBe(walk.examples)
          const server = yield* startServer({ DATA_DIR: yield* temporaryFolder })
          const shell = runIn(yield* curl, scriptOf(examples, server))
          expect(shell.stderr.toString()).toBe("")
          const printed = shell.stdout.toString().split(`${MARK}\n`)
          for (const [index, example] of examples.entries()) {
            expect(shapeOf(printed[index] ?? "").trim()).toBe(shapeOf(example.printed).trim())
          }
          server.send("SIGTERM")
          expect((yield* server.ended).code).toBe(0)
        }),
      LIMIT
    )
  }
})
