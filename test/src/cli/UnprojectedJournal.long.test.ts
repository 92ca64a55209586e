import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { exportEvents } from "../../../src/cli/Exporting.ts"
import { databaseOf } from "../../../src/cli/EventLog.ts"
import { unprojectedJournal } from "../../../src/cli/UnprojectedJournal.ts"
import { exportText, replayText, verifyText } from "../../../src/cli/Reports.ts"
import { replayLog } from "../../../src/cli/Replaying.ts"
import { verify } from "../../../src/cli/Verifying.ts"
import { EventLogRepository } from "../../../src/database/EventLogRepository.ts"
import { onDatabase, runEmporion } from "../../lib/CliProcess.ts"
import { itLive } from "../../lib/Effects.ts"
import { checkLedger, leftBehind } from "../../lib/LedgerCheck.ts"
import { type PlayedLog, playedLog } from "../../lib/PlayedLog.ts"
import { appendTail, minted } from "../../lib/TailRows.ts"
import { temporaryFolder } from "../../lib/TemporaryFolder.ts"

const BEHIND = "events and 4 journal entries behind them that the tables do not have yet"

const tailOf = ({ source }: PlayedLog) =>
  Effect.gen(function* () {
    const { atOneMoment } = yield* EventLogRepository
    return yield* atOneMoment(unprojectedJournal)
  }).pipe(Effect.provide(databaseOf(source)))

/** Four entries in two rows, three of them in one stream. */
const FOUR = [
  [minted("usr_tail", 1), minted("usr_tail", 2)],
  [minted("usr_other", 1), minted("usr_tail", 3)]
]

/** Has the tables say to which event they have everything. */
const saysToHave = (log: PlayedLog, seq: number) => log.sql("UPDATE projection SET seq = $1", [BigInt(seq)])

const exported = (log: PlayedLog) =>
  Effect.gen(function* () {
    const path = join(yield* temporaryFolder, "events.jsonl")
    return { path, report: yield* exportEvents(log.source, path) }
  })

describe("a journal ahead of the tables", () => {
  itLive(
    "is walked to its end, and compared to the last event",
    () =>
      Effect.gen(function* () {
        const log = yield* playedLog
        const [verified, replayed] = [yield* verify(log.source), yield* replayLog(log.source)]
        expect([verified.unprojected, replayed.unprojected]).toEqual([0, 0])
        const before = yield* exported(log)
        expect(yield* tailOf(log)).toEqual({ events: verified.events, unprojected: 0, finding: undefined })
        const [first, second] = yield* appendTail(log, FOUR)
        expect(yield* tailOf(log)).toEqual({ events: verified.events, unprojected: 4, finding: undefined })
        expect(yield* verify(log.source)).toEqual({ ...verified, unprojected: 4 })
        expect(yield* replayLog(log.source)).toEqual({ ...replayed, unprojected: 4 })
        const { path, report } = yield* exported(log)
        expect(report).toEqual({ ...before.report, unprojected: 4 })
        expect(readFileSync(path)).toEqual(readFileSync(before.path))
        for (const text of [
          verifyText({ ...verified, unprojected: 4 }),
          replayText({ ...replayed, unprojected: 4 }),
          exportText(path, report)
        ]) {
          expect(text).toContain(`journal  ${verified.events.toLocaleString("en")} ${BEHIND}`)
        }

        yield* saysToHave(log, verified.events)
        expect(yield* tailOf(log)).toMatchObject({ unprojected: 4, finding: undefined })
        expect(yield* verify(log.source)).toEqual({ ...verified, unprojected: 4 })
        for (const seq of [verified.events - 1, verified.events + 1]) {
          yield* saysToHave(log, seq)
          const finding = { seq: verified.events, problem: expect.stringContaining(`to event ${seq}`) }
          expect(yield* tailOf(log)).toMatchObject({ finding })
          expect(yield* verify(log.source)).toMatchObject({ ok: false, finding })
        }
        yield* saysToHave(log, verified.events)

        const alter = (firstSeq: number) =>
          log.sql("UPDATE journal SET body = replace(body, 'usr_', 'usr-') WHERE first_seq = $1", [BigInt(firstSeq)])
        const repair = (firstSeq: number) =>
          log.sql("UPDATE journal SET body = replace(body, 'usr-', 'usr_') WHERE first_seq = $1", [BigInt(firstSeq)])
        const { firstSeq: seq } = second!
        yield* alter(seq)
        const finding = { seq, problem: expect.stringContaining("that was altered") }
        expect(yield* tailOf(log)).toMatchObject({ finding })
        expect(yield* verify(log.source)).toMatchObject({ ok: false, finding })
        expect(yield* replayLog(log.source)).toMatchObject({ ok: false, finding })
        expect((yield* exported(log)).report).toMatchObject({ events: verified.events, finding })
        yield* repair(seq)
        yield* log.sql("DELETE FROM journal WHERE first_seq = $1", [BigInt(first!.firstSeq)])
        const gap = { seq: second!.firstSeq, problem: expect.stringContaining(`where one from ${first!.firstSeq}`) }
        expect(yield* tailOf(log)).toMatchObject({ finding: gap })
        expect(yield* verify(log.source)).toMatchObject({ ok: false, finding: gap })
        yield* log.sql("DELETE FROM journal WHERE first_seq < $1", [BigInt(first!.firstSeq)])
        const late = { seq: second!.firstSeq }
        expect(yield* verify(log.source)).toMatchObject({ ok: false, finding: late })
        expect(yield* tailOf(log)).toMatchObject({ finding: late })
      }),
    60_000
  )

  itLive(
    "is read as the events that it becomes, and decided again",
    () =>
      Effect.gen(function* () {
        const log = yield* playedLog
        const sound = yield* replayLog(log.source)
        expect(sound.ok).toBe(true)
        yield* appendTail(log, [[{ ...minted("usr_1", 1), data: '{"_tag":"NoSuchEvent"}' }]])
        const seq = sound.events + 1
        expect(yield* verify(log.source)).toMatchObject({ ok: false, unprojected: 1, finding: { seq, version: 1 } })
        yield* log.sql("DELETE FROM journal WHERE first_seq >= $1", [BigInt(seq)])
        // Its money comes from nowhere: the reference's deposit belongs in another stream.
        yield* appendTail(log, [[minted("usr_1", 1), minted("usr_1", 2, { externalReference: "WIRE-1" })]])
        expect(yield* verify(log.source)).toMatchObject({ ok: true, unprojected: 2 })
        expect(yield* replayLog(log.source)).toMatchObject({
          ok: false,
          finding: { seq: seq + 1, stream: "funds/usr_1", version: 2 },
          state: sound.state,
          differences: []
        })
      }),
    60_000
  )

  itLive(
    "is taken by what crash tests check, which finds an altered one, and says whose it is",
    () =>
      Effect.gen(function* () {
        const log = yield* playedLog
        const config = { url: log.source.url }
        const sound = yield* checkLedger(config)
        expect(sound).toMatchObject({ violations: [], tail: { entries: 0 } })
        const [row] = yield* appendTail(log, FOUR)
        expect(yield* checkLedger(config)).toEqual({ ...sound, tail: { entries: 4, commitments: new Set() } })
        const data = '{"_tag":"CommitmentSubmitted","commitment":{"commitmentId":"cmt_1"}}'
        const [fifth] = yield* appendTail(log, [[{ ...minted("usr_tail", 4), stream: "order/ord_1", data }]])
        expect((yield* checkLedger(config)).tail).toEqual({ entries: 5, commitments: new Set(["cmt_1"]) })
        yield* log.sql("DELETE FROM journal WHERE first_seq = $1", [BigInt(fifth!.firstSeq)])
        yield* log.sql("UPDATE writer_term SET term = $1", [row!.term])
        expect(yield* leftBehind(config)).toBe(0)
        yield* log.sql("UPDATE writer_term SET term = term + 1")
        expect(yield* leftBehind(config)).toBe(4)
        yield* log.sql("UPDATE journal SET body = body || ' ' WHERE first_seq = $1", [BigInt(row!.firstSeq)])
        const chain = `the journal's chain is broken at ${row!.firstSeq}`
        expect((yield* checkLedger(config)).violations).toEqual([chain])
        yield* log.sql("UPDATE journal SET body = rtrim(body) WHERE first_seq = $1", [BigInt(row!.firstSeq)])
        yield* log.sql("DELETE FROM journal WHERE first_seq = $1", [BigInt(row!.firstSeq)])
        const gap = expect.stringContaining("the journal has a gap")
        expect((yield* checkLedger(config)).violations).toContainEqual(gap)
        yield* log.sql("DELETE FROM journal WHERE first_seq < $1", [BigInt(row!.firstSeq)])
        expect((yield* checkLedger(config)).violations).toContainEqual(gap)
      }),
    60_000
  )

  itLive(
    "is told by the commands, which succeed",
    () =>
      Effect.gen(function* () {
        const log = yield* playedLog
        yield* appendTail(log, FOUR)
        const folder = yield* temporaryFolder
        const statement = join(folder, "empty.csv")
        yield* Effect.promise(() => Bun.write(statement, "date,reference,amount\n"))
        const run = (...args: ReadonlyArray<string>) => runEmporion(args, { env: onDatabase(log.server.databaseUrl) })
        const days = ["--from", "2020-01-01", "--to", "2020-01-02"]
        const reconcile = ["reconcile", "--asset", "EUR", ...days, statement]
        const commands = [["verify"], ["export", join(folder, "events.jsonl")], reconcile]
        for (const command of commands) {
          const { code, stderr, stdout } = yield* run(...command)
          expect([code, stderr]).toEqual([0, ""])
          expect(stdout).toContain(BEHIND)
        }
        yield* log.sql("UPDATE journal SET body = body || ' ' WHERE first_seq = (SELECT max(first_seq) FROM journal)")
        const { code, stderr, stdout } = yield* run(...reconcile, "--json")
        expect(code).toBe(1)
        expect(stderr).toContain("The journal is not what it was")
        expect(JSON.parse(stdout)).toMatchObject({
          ok: false,
          finding: { problem: expect.stringContaining("altered") }
        })
      }),
    60_000
  )
})
