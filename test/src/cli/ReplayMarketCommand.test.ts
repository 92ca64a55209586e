import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { runEmporion } from "../../lib/CliProcess.ts"
import { commandHere } from "../../lib/CommandLine.ts"
import { itLive } from "../../lib/Effects.ts"
import { writeArchive } from "../../lib/MarketArchive.ts"
import { recordedMarket } from "../../lib/RecordedMarket.ts"
import { temporaryFolder } from "../../lib/TemporaryFolder.ts"

const PAGE = join(import.meta.dir, "../../../docs/concepts/market-replay.md")

/** A program of the page by its language. */
const example = (language: string): string =>
  new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(readFileSync(PAGE, "utf8"))?.[1] ?? ""

/** The program of `my.py` again, for a runtime that is surely here. */
const LINES = `
import { createInterface } from "node:readline"
for await (const line of createInterface({ input: process.stdin })) {
  const { events = [], protocol } = JSON.parse(line)
  const commitments = events
    .filter(({ type, data }) => type === "order_updated" && data.status === "open")
    .map(({ data }) => ({
      order_id: data.order_id,
      proposed_entry_price: data.entry_price * 1.001,
      expected_exit_price: data.entry_price * 1.2,
      slippage_tolerance: 0.02,
      quantity: data.quantity
    }))
  console.log(JSON.stringify(protocol === undefined ? { commitments } : { channels: ["orders", "my"] }))
}
`

const AT_ONCE = `
export default () => ({
  async onEvent({ type, data }, market) {
    if (type !== "order_updated" || data.status !== "open") return
    market.commit({
      order_id: data.order_id,
      proposed_entry_price: data.entry_price * 1.001,
      expected_exit_price: data.entry_price * 1.2,
      slippage_tolerance: 0.02,
      quantity: data.quantity
    })
  }
})
`

const market = recordedMarket({ seed: 5, orders: 120, traders: 6, faults: false })

const fixture = Effect.gen(function* () {
  const folder = yield* temporaryFolder
  const history = join(folder, "history")
  writeArchive(history, market)
  const write = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  const withHistory = (args: ReadonlyArray<string>) => ["replay-market", "--history", history, ...args]
  const replay = (...args: ReadonlyArray<string>) => commandHere(withHistory(args))
  const replayInProcess = (...args: ReadonlyArray<string>) => runEmporion(withHistory(args))
  return { folder, history, replay, replayInProcess, write }
})

describe("emporion replay-market", () => {
  itLive(
    "plays the program of the page to an archive, and says the same to a program, to a person and in a page",
    () =>
      Effect.gen(function* () {
        const { folder, replay, replayInProcess, write } = yield* fixture
        const my = write("my.ts", example("ts"))
        const { code, stderr, stdout } = yield* replay("--with", my, "--json")
        expect([code, stderr]).toEqual([0, ""])
        const report = JSON.parse(stdout)
        expect(report).toMatchObject({ auctions: 120, entered: 120, program: my })
        expect(report.reproduced).toBe(report.chosen)
        expect(report.chosen).toBeGreaterThan(60)
        expect(report.won).toBeGreaterThan(10)
        for (const { bids } of report.auctions_entered) expect(bids.length).toBe(1)
        const page = join(folder, "report.html")
        const text = (yield* replayInProcess("--with", my, "--report", page)).stdout
        expect(text).toContain(`120 bids on 120 auctions, ${report.won} won, ${report.gained} with a profit`)
        expect(text).toContain(`made again with nothing changed, ${report.chosen} come out as published`)
        const html = readFileSync(page, "utf8")
        const played = /^history  (.+): (.+)$/m.exec(text)?.slice(1) ?? []
        expect(played[1]).toMatch(/^\d{4}-\d\d-\d\d( to \d{4}-\d\d-\d\d, [2-9]\d* days)?$/)
        expect(html.replaceAll("<!-- -->", "")).toContain(played.join(": "))
        const nothing = yield* replay("--with", my, "--from", "2031-01-01", "--report", page)
        expect(nothing.stdout).toContain("no day of it is recorded")
        expect(readFileSync(page, "utf8")).not.toContain("1970")
        expect(html).toContain(`${report.reproduced} of ${report.chosen}`)
        expect(html.match(/<tr>/g)?.length).toBe(121)
        expect(html).not.toMatch(/<(?:script|link|img)[^>]+(?:src|href)=/)
      }),
    120_000
  )

  itLive(
    "plays the same to a module as to a process",
    () =>
      Effect.gen(function* () {
        const { replay, write } = yield* fixture
        const told = (stdout: string) => ({ ...JSON.parse(stdout), program: "" })
        const byModule = yield* replay("--json", "--with", write("once.ts", AT_ONCE))
        const byLines = yield* replay("--json", "--", process.execPath, write("lines.mjs", LINES))
        expect([byModule.stderr, byLines.stderr]).toEqual(["", ""])
        expect(told(byModule.stdout)).toEqual(told(byLines.stdout))
        expect(told(byModule.stdout).won).toBeGreaterThan(10)
      }),
    120_000
  )

  itLive(
    "refuses what was altered, what is no program, and what answers nothing, and says what to do",
    () =>
      Effect.gen(function* () {
        const { history, replay, write } = yield* fixture
        const idle = write("idle.ts", "export default { onEvent() {} }")
        const failing = (...args: ReadonlyArray<string>) =>
          Effect.map(replay(...args), ({ code, stderr }) => {
            expect(code).toBe(1)
            return stderr
          })
        expect(yield* failing("--with", write("none.ts", "export const a = 1"))).toContain(
          "its default export has to be"
        )
        expect(
          yield* failing("--with", write("thrown.ts", "export default { onEvent() { throw new Error('no') } }"))
        ).toContain("no")
        const channels = write("channels.ts", "export default { channels: ['all'], onEvent() {} }")
        expect(yield* failing("--with", channels)).toContain("orders, commitments, prices, my")
        expect(yield* failing("--", "/no/such/program")).toContain("cannot be started")
        const silent = write("silent.mjs", "process.stdin.resume()")
        expect(yield* failing("--timeout", "1", "--", process.execPath, silent)).toContain("gave no answer within")
        const looping = write("looping.ts", "export default { onEvent() { for (;;) {} } }")
        expect(yield* failing("--timeout", "1", "--with", looping)).toContain("onEvent gave no answer within 1s.")
        const busy = `export default { onEvent(event, market) { market.wakeAt(market.now) } }`
        expect(yield* failing("--with", write("busy.ts", busy))).toContain("acts without end")
        const mistyped = yield* replay("--with", idle, "--owner", "usr_x")
        expect([mistyped.code, mistyped.stderr]).toEqual([2, expect.stringContaining("begins with cmp_")])
        const [day = ""] = readdirSync(history)
        const entry = readFileSync(join(history, day, "day.json"), "utf8")
        writeFileSync(join(history, day, "day.json"), entry.replace('"orders":', '"orders":1'))
        expect(yield* failing("--with", idle)).toContain("its entry has another hash")
        writeFileSync(join(history, day, "day.json"), entry)
        appendFileSync(join(history, day, "auctions.jsonl"), "\n")
        expect(yield* failing("--with", idle)).toContain("is not what was sealed")
      }),
    120_000
  )
})
