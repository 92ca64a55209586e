import fc from "fast-check"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { exportEvents } from "../../../src/cli/Exporting.ts"
import { replayLog } from "../../../src/cli/Replaying.ts"
import { verify } from "../../../src/cli/Verifying.ts"
import { itLive } from "../../lib/Effects.ts"
import { playedLog, type PlayedLog } from "../../lib/PlayedLog.ts"
import { runs } from "../../lib/Property.ts"
import { temporaryFolder } from "../../lib/TemporaryFolder.ts"

interface Row {
  readonly seq: bigint
  readonly stream: string
  readonly version: number
  readonly type: string
  readonly data: string
  readonly hash: string
}

const rowsOf = (log: PlayedLog) =>
  log.sql<Row>("SELECT seq, stream, version, type, data, encode(hash, 'hex') AS hash FROM events ORDER BY seq")

/** Where a byte is altered: which event, which of its columns, and where in it, as parts of the whole. */
const place = fc.record({
  event: fc.double({ min: 0, max: 0.999_999, noNaN: true }),
  column: fc.constantFrom("data", "data", "data", "hash", "type"),
  at: fc.double({ min: 0, max: 0.999_999, noNaN: true })
})

const altered = (text: string, at: number): string => {
  const index = Math.floor(at * text.length)
  return `${text.slice(0, index)}${text[index] === "0" ? "1" : "0"}${text.slice(index + 1)}`
}

const write = (log: PlayedLog, { seq, data, hash, type }: Row) =>
  log.sql("UPDATE events SET data = $1, hash = decode($2, 'hex'), type = $3 WHERE seq = $4", [data, hash, type, seq])

/** An export of a sandbox of when bids were prices that did not float, with what a bot decided. */
const FIXED_BIDS = join(import.meta.dir, "..", "..", "fixtures", "log-of-fixed-bids.jsonl.gz")

describe("verify", () => {
  itLive("bears out the choices and decisions that were made when bids did not float", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const path = join(folder, "events.jsonl")
      writeFileSync(path, gunzipSync(readFileSync(FIXED_BIDS)))
      const verified = yield* verify({ _tag: "File", path })
      const sum = "52cb33f412131a1544609434f06e8109efd5a61cfe206e47cd45b295581576c5"
      expect(verified).toMatchObject({ ok: true, events: 622, sum, finding: undefined })
      expect(verified.choices).toMatchObject({ recomputed: 63, unpublished: 0 })
      const replayed = yield* replayLog({ _tag: "File", path })
      expect(replayed).toMatchObject({ ok: true, finding: undefined })
      // As it was hashed when it was recorded: what tables and columns came since are compared and have no part in it.
      expect(replayed.state.derived).toBe("2f11fefcfaa59223742b7f862c8a07d791b56a7de54ac4e55f0484c8e7f353e5")
    })
  )

  itLive(
    "names the event with an altered byte, in a database and in an exported file",
    () =>
      Effect.gen(function* () {
        const log = yield* playedLog
        const rows = yield* rowsOf(log)
        const sound = yield* verify(log.source)
        expect(sound).toMatchObject({ ok: true, events: rows.length, finding: undefined })
        expect(sound.choices.recomputed).toBeGreaterThan(3)
        for (const { event, column, at } of fc.sample(place, Math.ceil(runs() / 40))) {
          const row = rows[Math.floor(event * rows.length)]!
          yield* write(log, { ...row, [column]: altered(row[column], at) })
          const { ok, finding } = yield* verify(log.source)
          expect([ok, finding?.seq, finding?.stream]).toEqual([false, Number(row.seq), row.stream])
          expect(finding?.version).toBe(row.version)
          yield* write(log, row)
        }
        const folder = yield* temporaryFolder
        const file = join(folder, "events.jsonl")
        expect(yield* exportEvents(log.source, file)).toEqual({
          events: rows.length,
          unprojected: 0,
          sum: sound.sum,
          finding: undefined
        })
        expect(yield* verify({ _tag: "File", path: file })).toEqual(sound)
        yield* everyByteOfTheFile(file)
      }),
    60_000
  )

  itLive(
    "names the event from which the journal is another",
    () =>
      Effect.gen(function* () {
        const log = yield* playedLog
        const [row] = yield* log.sql<{ first_seq: bigint }>(
          "SELECT first_seq FROM journal ORDER BY first_seq OFFSET 3 LIMIT 1"
        )
        const seq = Number(row?.first_seq)
        yield* log.sql("UPDATE journal SET answers = NULL")
        expect(yield* verify(log.source)).toMatchObject({ ok: true })
        yield* log.sql("UPDATE journal SET body = body || ' ' WHERE first_seq = $1", [row?.first_seq])
        expect((yield* verify(log.source)).finding).toMatchObject({ seq })
        expect((yield* replayLog(log.source)).finding).toMatchObject({ seq })
        yield* log.sql("DELETE FROM journal WHERE first_seq >= $1", [row?.first_seq])
        expect((yield* verify(log.source)).finding).toMatchObject({ seq, problem: "is not in the journal" })
        yield* log.sql("DELETE FROM journal")
        expect(yield* verify(log.source)).toMatchObject({ ok: true })
      }),
    60_000
  )

  itLive(
    "names a row that names one that is not there",
    () =>
      Effect.gen(function* () {
        const log = yield* playedLog
        const events = (yield* rowsOf(log)).length
        const problem =
          "is the last event, and 1 of the rows of ledger_holds name in account what is not in ledger_accounts: gone"
        yield* log.sql(
          `INSERT INTO ledger_holds (id, account, into_account, amount, status, placed_by)
           VALUES ('planted', 'gone', 'gone', 1, 'pending', 1)`
        )
        const report = yield* verify(log.source)
        expect([report.ok, report.finding]).toEqual([false, { seq: events, stream: "", version: 0, type: "", problem }])
        yield* log.sql("DELETE FROM ledger_holds WHERE id = 'planted'")
        expect(yield* verify(log.source)).toMatchObject({ ok: true })
      }),
    60_000
  )

  itLive(
    "names what is missing, at the end and in the middle",
    () =>
      Effect.gen(function* () {
        const log = yield* playedLog
        const rows = yield* rowsOf(log)
        const last = rows.at(-1)!
        yield* log.sql("UPDATE event_streams SET version = version + 1 WHERE id = $1", [last.stream])
        expect((yield* verify(log.source)).finding).toMatchObject({ seq: Number(last.seq), stream: last.stream })
        yield* log.sql("UPDATE event_streams SET version = version - 1 WHERE id = $1", [last.stream])
        yield* log.sql("DELETE FROM events WHERE seq = $1", [last.seq])
        expect((yield* verify(log.source)).finding).toMatchObject({ stream: last.stream })
        yield* log.sql("DELETE FROM events WHERE seq = 5")
        expect((yield* verify(log.source)).finding).toMatchObject({ seq: 6 })
        const folder = yield* temporaryFolder
        const report = yield* exportEvents(log.source, join(folder, "events.jsonl"))
        expect(report).toMatchObject({ events: 4, finding: { seq: 6 } })
      }),
    60_000
  )
})

const misplaced = (seq: number): string => `stands where event ${seq} of the sequence is expected`

/** One altered byte anywhere names its line's event; a cut or lengthened file is not taken for a whole one. */
const everyByteOfTheFile = (file: string) =>
  Effect.gen(function* () {
    const bytes = readFileSync(file)
    const changed = `${file}.changed`
    const check = (content: Uint8Array) =>
      Effect.andThen(
        Effect.sync(() => writeFileSync(changed, content)),
        verify({ _tag: "File", path: changed })
      )
    const position = fc.tuple(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }))
    for (const [at, mask] of fc.sample(position, Math.ceil(runs() / 10))) {
      const content = Uint8Array.from(bytes)
      content[at] = content[at]! ^ mask
      const line = bytes.subarray(0, at).toString("utf8").split("\n").length
      const { ok, finding } = yield* check(content)
      // A line whose number was altered is named by its place.
      const isNamed = finding?.seq === line || finding?.problem === misplaced(line)
      expect({ ok, isNamed, finding }).toEqual({ ok: false, isNamed: true, finding })
    }
    const [first = "", ...others] = bytes.toString("utf8").split("\n")
    const renumbered = [first.replace('"seq":1,', '"seq":6,'), ...others].join("\n")
    expect((yield* check(Buffer.from(renumbered))).finding).toMatchObject({ seq: 6, problem: misplaced(1) })
    const { length } = bytes.toString("utf8").trimEnd().split("\n")
    const lines = bytes.toString("utf8").split("\n")
    for (const count of [length - 2, length]) {
      const end = (lines[length - 1] ?? "").replace(/\d+/, String(count))
      const miscounted = [...lines.slice(0, length - 1), end, ""].join("\n")
      expect((yield* check(Buffer.from(miscounted))).finding?.seq).toBe(length)
    }
    const cut = (count: number): Uint8Array => Buffer.from(`${lines.slice(0, count).join("\n")}\n`)
    expect((yield* check(cut(length - 1))).finding?.problem).toContain("the file was cut")
    expect((yield* check(cut(length - 5))).finding?.seq).toBe(length - 4)
    expect((yield* check(Buffer.concat([bytes, bytes]))).finding?.problem).toContain("after the file's end")
    expect((yield* check(new Uint8Array())).ok).toBe(false)
  })
