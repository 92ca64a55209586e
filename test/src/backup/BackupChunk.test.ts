import { describe, expect, it } from "bun:test"
import { Effect } from "effect"
import fc from "fast-check"
import { ChunkWriter, getChunk, putChunk } from "../../../src/backup/BackupChunk.ts"
import * as FolderBackups from "../../../src/backup/FolderBackups.ts"
import { itLive } from "../../lib/Effects.ts"
import { property } from "../../lib/Property.ts"
import { temporaryFolder } from "../../lib/TemporaryFolder.ts"

const parted = (lines: ReadonlyArray<string>): ReadonlyArray<ReadonlyArray<string>> => {
  const writer = new ChunkWriter()
  const chunks = [...lines.map((line) => writer.add(line)), writer.end()]
  return chunks.filter((chunk) => chunk !== undefined)
}

/** Rows of a table, of 7 MB. */
const ROWS = Array.from({ length: 60_000 }, (_, at) => JSON.stringify([`row ${at}`, "x".repeat(80 + (at % 50))]))

const line = fc.string({ unit: "binary" }).map((text) => JSON.stringify([text, null]))

describe("A chunk", () => {
  itLive("gives the lines that were kept, and is written once", () =>
    Effect.gen(function* () {
      const services = yield* Effect.context()
      const store = FolderBackups.layer(yield* temporaryFolder)
      const kept = (lines: ReadonlyArray<string>) =>
        Effect.gen(function* () {
          const { hash } = yield* putChunk(lines)
          expect(yield* getChunk(hash)).toEqual([...lines])
          expect(yield* putChunk(lines)).toEqual({ hash, written: 0 })
        }).pipe(Effect.provide(store), Effect.orDie)
      yield* Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(fc.array(line, { minLength: 1 }), (lines) => Effect.runPromiseWith(services)(kept(lines))),
          property(2)
        )
      )
    })
  )

  it("has all lines in their order, and most chunks stay when a row comes or goes anywhere", () => {
    const before = parted(ROWS)
    expect(before.flat()).toEqual(ROWS)
    expect(before.length).toBeGreaterThan(8)
    const known = new Set(before.map((lines) => lines.join("\n")))
    fc.assert(
      fc.property(fc.nat(ROWS.length - 1), fc.boolean(), line, (at, goes, come) => {
        const after = parted(ROWS.toSpliced(at, goes ? 1 : 0, ...(goes ? [] : [come])))
        expect(after.filter((lines) => !known.has(lines.join("\n"))).length).toBeLessThanOrEqual(3)
      }),
      property(20)
    )
  })
})
