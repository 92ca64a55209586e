import { describe, expect } from "bun:test"
import { Effect, Layer, Redacted } from "effect"
import fc from "fast-check"
import { hash } from "node:crypto"
import { layerWebCrypto } from "effect/crypto/SecureRandom"
import { BackupKeys } from "../../../src/backup/BackupKeys.ts"
import { BackupRepository, type ReadRow } from "../../../src/backup/BackupRepository.ts"
import { BackupStore } from "../../../src/backup/BackupStore.ts"
import { copyChanged, copyRows } from "../../../src/backup/TableCopy.ts"
import { changed, joined, NO_ROWS, startsOf, type TablePart } from "../../../src/backup/TablePart.ts"
import { Secrets } from "../../../src/identity/secrets/Secrets.ts"
import { itLive } from "../../lib/Effects.ts"
import { property } from "../../lib/Property.ts"

const TABLE = { name: "things", columns: ["key", "text"], order: ["key"], types: ["text"] }

/** Rows by their keys, each of a version. */
type Rows = ReadonlyMap<string, bigint>

/** So long that a chunk has a few dozen rows, and ends by its length: what changes moves all ends behind it. */
const LINE = "x".repeat(100_000)

const rowsOf = (rows: Rows): ReadonlyArray<readonly [string, ReadRow]> =>
  [...rows.keys()].toSorted().map((key) => {
    const version = rows.get(key) ?? 0n
    return [key, { line: JSON.stringify([key, `${version}${LINE}`]), version }]
  })

/** A repository of one table, which counts the rows that are read. */
const reading = (rows: Rows, count = { read: 0 }) =>
  Layer.succeed(BackupRepository, {
    each: (_, take, { from, to } = {}) => {
      const found = rowsOf(rows).filter(
        ([key]) => (from === undefined || key >= from) && (to === undefined || key < to)
      )
      count.read += found.length
      return take(found.map(([, row]) => row))
    }
  } as Partial<BackupRepository["Service"]> as BackupRepository["Service"])

const nowhere = Layer.succeed(BackupStore, {
  size: () => Effect.undefined,
  put: () => Effect.void
} as Partial<BackupStore["Service"]> as BackupStore["Service"])

const secrets = Layer.effect(Secrets, Secrets.under(Redacted.make(new Uint8Array(32)))).pipe(
  Layer.provideMerge(layerWebCrypto)
)

const copying = { keys: new BackupKeys("keys", []), erased: new Set<string>() }

const printsOf = (rows: Rows, parts: ReadonlyArray<TablePart>) => {
  const prints = [NO_ROWS, ...startsOf(parts).map(() => NO_ROWS)]
  for (const [key, { version }] of rowsOf(rows)) {
    const at = startsOf(parts).filter((start) => start <= key).length
    prints[at] = joined(prints[at] ?? NO_ROWS, { rows: 1, versions: version })
  }
  return prints
}

const key = fc.integer({ min: 0, max: 300 }).map((number) => String(number).padStart(3, "0"))

const edits = fc.array(fc.tuple(key, fc.constantFrom("write", "remove")), { maxLength: 5 })

/** No two rows have the same, and no few of them cancel each other out, as with a hash of a row's place and transaction. */
const versionOf = (at: string, round: number): bigint => BigInt(`0x${hash("sha256", `${at} ${round}`).slice(0, 15)}`)

const edited = (rows: Rows, some: ReadonlyArray<readonly [string, string]>, round: number): Rows => {
  const after = new Map(rows)
  for (const [at, act] of some) {
    if (act === "write") after.set(at, versionOf(at, round))
    else after.delete(at)
  }
  return after
}

const WRITTEN_AND_REMOVED = Array.from({ length: 90 }, (_, index) => String(index * 2).padStart(3, "0"))

describe("A table that is copied again", () => {
  itLive("has the chunks that it has when all of it is read, and what did not change is not read", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(
          fc.uniqueArray(key, { minLength: 60, maxLength: 150 }),
          fc.array(edits, { maxLength: 4 }),
          (keys, rounds) => {
            const run = Effect.gen(function* () {
              let rows: Rows = new Map(keys.map((one) => [one, versionOf(one, 0)]))
              let { parts } = yield* Effect.provide(copyRows(TABLE, copying), reading(rows))
              for (const [round, some] of [...rounds, []].entries()) {
                rows = edited(rows, some, round + 1)
                const count = { read: 0 }
                const isChanged = changed(parts, printsOf(rows, parts))
                const again = copyChanged(TABLE, copying, parts, isChanged)
                const found = yield* Effect.provide(again, reading(rows, count))
                const fresh = yield* Effect.provide(copyRows(TABLE, copying), reading(rows))
                expect(found.parts).toEqual(fresh.parts)
                if (!isChanged.includes(true) && startsOf(parts).length > 0) expect(count.read).toBe(0)
                parts = found.parts
              }
            })
            return Effect.runPromise(Effect.provide(run, Layer.merge(nowhere, secrets)))
          }
        ),
        {
          ...property(10),
          // One row in the place of another, and a third one changed, all in one part.
          examples: [
            [
              WRITTEN_AND_REMOVED,
              [
                [
                  ["104", "write"],
                  ["101", "write"],
                  ["100", "remove"]
                ]
              ]
            ]
          ]
        }
      )
    )
  )
})
