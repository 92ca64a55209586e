import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { appendFileSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { sealDue } from "../../../src/arena/history/HistorySealing.ts"
import { onDatabase, runEmporion } from "../../lib/CliProcess.ts"
import { commandHere } from "../../lib/CommandLine.ts"
import { itLive } from "../../lib/Effects.ts"
import { playedLog } from "../../lib/PlayedLog.ts"
import { temporaryFolder } from "../../lib/TemporaryFolder.ts"

interface DaysJson {
  readonly days: ReadonlyArray<{ readonly day: string; readonly hash: string }>
}

/** A program that bids on every order. */
const BIDS_AT_ONCE = `
export default {
  onEvent({ type, data }, market) {
    if (type !== "order_updated" || data.status !== "open") return
    const { entry_price: price, order_id, quantity } = data
    market.commit({ order_id, proposed_entry_price: price, expected_exit_price: price * 1.2, quantity })
  }
}
`

const FILES = ["auctions.csv", "auctions.jsonl", "medians.csv", "medians.jsonl", "yields.csv", "yields.jsonl"]

const WITH_ENTRY = [...FILES, "day.json"].toSorted()

describe("emporion archive", () => {
  itLive(
    "writes what the server gives, leaves what is there, is replayed as the database is, and refuses a day that was altered",
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
        const env = onDatabase(server.databaseUrl)
        const run = (...args: ReadonlyArray<string>) =>
          Effect.map(commandHere(["archive", ...args, folder], env), ({ code, stderr, stdout }) => ({
            code,
            stderr,
            report: stdout.startsWith("{") ? JSON.parse(stdout) : stdout
          }))
        const files = json.days.length * FILES.length
        const made = yield* runEmporion(["archive", "--json", folder], { env })
        expect(JSON.parse(made.stdout)).toMatchObject({
          days: json.days.length,
          written: files,
          kept: 0,
          hash: last?.hash
        })
        expect(readdirSync(folder)).toEqual(json.days.map(({ day }) => day).toReversed())
        for (const day of json.days) {
          const place = join(folder, day.day)
          expect(readdirSync(place).toSorted()).toEqual(WITH_ENTRY)
          expect(JSON.parse(readFileSync(join(place, "day.json"), "utf8"))).toEqual(day)
          for (const name of FILES) {
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
        expect((yield* run("--json", "--from", last?.day ?? "")).report).toMatchObject({ days: 1, kept: FILES.length })
        expect((yield* run("--from", "2031-01-01")).report).toContain("none is sealed")

        const idle = join(folder, "idle.ts")
        writeFileSync(idle, BIDS_AT_ONCE)
        const token = yield* server.token(admin)
        const replayed = (...source: ReadonlyArray<string>) =>
          Effect.map(
            commandHere(
              ["replay-market", "--json", "--with", idle, "--to", last?.day ?? "", ...source],
              source.includes("--url") ? { EMPORION_TOKEN: token } : env
            ),
            ({ stderr, stdout }) => ({ stderr, ...JSON.parse(stdout), source: "" })
          )
        const recorded = yield* replayed()
        expect(recorded).toMatchObject({ stderr: "", reproduced: recorded.chosen })
        expect([recorded.chosen > 2, recorded.won > 0]).toEqual([true, true])
        expect(yield* replayed("--history", folder)).toEqual(recorded)
        expect(yield* replayed("--url", server.url)).toEqual(recorded)
        rmSync(idle)

        rmSync(join(folder, last?.day ?? "", "medians.csv"))
        yield* log.sql("INSERT INTO retention_horizons (class, horizon) VALUES ('medians', 4102444800000)")
        expect((yield* run("--json", "--no-medians")).report).toMatchObject({ written: 0, removed: 0 })
        expect((yield* run()).report).toContain("removed  1 files cannot be made")

        appendFileSync(broken ?? "", "x")
        yield* log.sql("UPDATE arena_orders SET entry_price = entry_price + 1 WHERE status = 'settled'")
        const refused = yield* run()
        expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("is not what was sealed")])
        expect(readdirSync(join(folder, last?.day ?? "")).toSorted()).toEqual(
          WITH_ENTRY.filter((name) => name !== "medians.csv")
        )
      }),
    120_000
  )
})
