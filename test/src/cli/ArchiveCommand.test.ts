import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { appendFileSync, readdirSync, readFileSync, statSync, utimesSync } from "node:fs"
import { join } from "node:path"
import { sealDue } from "../../../src/arena/history/HistorySealing.ts"
import { onDatabase, runEmporion } from "../../lib/CliProcess.ts"
import { itLive } from "../../lib/Effects.ts"
import { playedLog } from "../../lib/PlayedLog.ts"
import { temporaryFolder } from "../../lib/TemporaryFolder.ts"

interface DaysJson {
  readonly days: ReadonlyArray<{ readonly day: string; readonly hash: string }>
}

const FILES = ["auctions.csv", "auctions.jsonl", "day.json"]

describe("emporion archive", () => {
  itLive(
    "writes what the server gives, leaves what is there, and refuses a day that was altered",
    () =>
      Effect.gen(function* () {
        const log = yield* playedLog
        const { server } = log
        yield* server.run(sealDue)
        const admin = yield* server.admin
        const { json } = yield* server.get<DaysJson>("/api/arena/history", admin)
        const [last] = json.days
        const first = json.days.at(-1)
        expect(json.days.length).toBeGreaterThan(1)

        const folder = join(yield* temporaryFolder, "history")
        const run = (...args: ReadonlyArray<string>) =>
          Effect.map(
            runEmporion(["archive", ...args, folder], { env: onDatabase(server.databaseUrl) }),
            ({ code, stderr, stdout }) => ({
              code,
              stderr,
              report: stdout.startsWith("{") ? JSON.parse(stdout) : stdout
            })
          )
        const files = json.days.length * 2
        expect((yield* run("--json")).report).toMatchObject({
          days: json.days.length,
          written: files,
          kept: 0,
          hash: last?.hash
        })
        expect(readdirSync(folder)).toEqual(json.days.map(({ day }) => day).toReversed())
        for (const day of json.days) {
          const place = join(folder, day.day)
          expect(readdirSync(place).toSorted()).toEqual(FILES)
          expect(JSON.parse(readFileSync(join(place, "day.json"), "utf8"))).toEqual(day)
          for (const name of FILES.slice(0, 2)) {
            const { text } = yield* server.get(`/api/arena/history/${day.day}/${name}`, admin)
            expect(readFileSync(join(place, name), "utf8")).toBe(text)
          }
        }

        const [kept, broken] = ["auctions.csv", "auctions.jsonl"].map((name) => join(folder, first?.day ?? "", name))
        const whole = readFileSync(broken ?? "", "utf8")
        utimesSync(kept ?? "", 1, 1)
        appendFileSync(broken ?? "", "x")
        expect((yield* run("--json")).report).toMatchObject({ written: 1, kept: files - 1 })
        expect(readFileSync(broken ?? "", "utf8")).toBe(whole)
        expect(statSync(kept ?? "").mtimeMs).toBe(1_000)
        expect((yield* run("--json", "--from", last?.day ?? "")).report).toMatchObject({ days: 1, kept: 2 })
        expect((yield* run("--from", "2031-01-01")).report).toContain("none is sealed")

        appendFileSync(broken ?? "", "x")
        yield* log.sql("UPDATE arena_orders SET entry_price = entry_price + 1 WHERE status = 'settled'")
        const refused = yield* run()
        expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("is not what was sealed")])
        expect(readdirSync(join(folder, first?.day ?? "")).toSorted()).toEqual(FILES)
      }),
    120_000
  )
})
