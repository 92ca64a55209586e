import { describe, expect, it } from "bun:test"
import { Effect, Layer } from "effect"
import fc from "fast-check"
import { auditStore } from "../../../src/backup/BackupAudit.ts"
import { chunkName, chunkNames, putChunk } from "../../../src/backup/BackupChunk.ts"
import {
  type BackupManifest,
  type ManifestName,
  manifestName,
  manifestNames,
  putManifest
} from "../../../src/backup/BackupManifest.ts"
import { INCREMENT_DAYS, needless, prune } from "../../../src/backup/BackupPruning.ts"
import { BackupFailed, BackupStore } from "../../../src/backup/BackupStore.ts"
import { planRestore } from "../../../src/backup/RestorePlan.ts"
import { property } from "../../lib/Property.ts"

const DAY = 86_400_000
const NOW = 400 * DAY

interface Made {
  readonly kind: BackupManifest["kind"]
  readonly madeAt: number
  readonly seq: number
}

/** Backups of one line, the first of them full, so many hours apart. */
const made = fc
  .array(fc.record({ isFull: fc.boolean(), hours: fc.integer({ min: 1, max: 60 }), more: fc.nat(5) }), {
    minLength: 1,
    maxLength: 25
  })
  .map((drawn) => {
    const all: Array<Made> = []
    const span = drawn.reduce((sum, { hours }) => sum + hours, 0)
    let [madeAt, seq] = [NOW - span * 3_600_000, 0]
    for (const { hours, isFull, more } of drawn) {
      madeAt += hours * 3_600_000
      seq += more
      all.push({ kind: isFull || all.length === 0 ? "full" : "increment", madeAt, seq })
    }
    return all
  })

const keepDays = fc.integer({ min: 1, max: 40 })

const named = (all: ReadonlyArray<Made>): ReadonlyArray<ManifestName> =>
  all.map((one) => ({ ...one, name: manifestName(one) }))

/**
 * Whether some backups restore to a sequence, told naively: a full one is at it or before it, and the journal goes on without
 * a gap from there to the sequence. An increment's journal begins where the backup that was made before it ended.
 */
const restores = (all: ReadonlyArray<Made>, left: ReadonlySet<Made>, target: Made): boolean => {
  const begins = [...left].findLast(({ kind, madeAt }) => kind === "full" && madeAt <= target.madeAt)
  if (begins === undefined) return false
  const reached = new Set<number>()
  for (let seq = 1; seq <= begins.seq; seq += 1) reached.add(seq)
  for (const [at, one] of all.entries()) {
    if (!left.has(one)) continue
    const from = one.kind === "full" ? 0 : (all[at - 1]?.seq ?? 0)
    for (let seq = from + 1; seq <= one.seq; seq += 1) reached.add(seq)
  }
  return Array.from({ length: target.seq }, (_, at) => at + 1).every((seq) => reached.has(seq))
}

/** Whether a backup's own moment has to be restored to. */
const isKept = ({ kind, madeAt }: Made, days: number): boolean =>
  madeAt >= NOW - (kind === "full" ? days : Math.min(days, INCREMENT_DAYS)) * DAY

/** A store in memory that fails after so many removals. */
const memoryStore = (files: Map<string, Uint8Array>, removals: number): Layer.Layer<BackupStore> => {
  let removed = 0
  const namesIn = (folder: string, after = ""): ReadonlyArray<string> =>
    [
      ...new Set(
        [...files.keys()]
          .filter((name) => name.startsWith(`${folder}/`))
          .map((name) => name.slice(folder.length + 1).split("/")[0] ?? "")
      )
    ]
      .filter((name) => name > after)
      .toSorted()
  return Layer.succeed(BackupStore, {
    place: "memory",
    put: (name, bytes) => Effect.sync(() => void files.set(name, bytes)),
    get: (name) => {
      const found = files.get(name)
      return found === undefined ? new BackupFailed({ message: `no ${name}` }) : Effect.succeed(found)
    },
    size: (name) => Effect.sync(() => files.get(name)?.length),
    list: (folder, after) => Effect.sync(() => namesIn(folder, after)),
    stamp: () => Effect.undefined,
    remove: (name) =>
      Effect.suspend(() => {
        removed += 1
        if (removed > removals) return new BackupFailed({ message: "stopped" })
        files.delete(name)
        return Effect.void
      })
  })
}

/** Keeps backups that have a chunk of their own, one that the next has too, and one that all have. Answers those of each. */
const written = Effect.fnUntraced(function* (all: ReadonlyArray<Made>) {
  const chunksOf = new Map<string, ReadonlyArray<string>>()
  for (const [at, { kind, madeAt, seq }] of all.entries()) {
    const chunks: Array<string> = []
    for (const line of [`own ${at}`, `pair ${Math.floor(at / 2)}`, "all"]) chunks.push((yield* putChunk([line])).hash)
    const table = { name: "users", columns: ["id"], rows: chunks.length, at: madeAt, chunks }
    chunksOf.set(manifestName({ kind, madeAt, seq }), chunks.map(chunkName))
    yield* putManifest({
      format: 1,
      kind,
      madeAt,
      seq,
      version: "1",
      schema: 1,
      key: "k",
      after: kind === "full" ? 0 : (all[at - 1]?.seq ?? 0),
      hash: "",
      recordedAt: 0,
      projected: seq,
      term: "1",
      tables: [table],
      journal: { ...table, name: "journal", rows: 0, chunks: [] }
    })
  }
  return chunksOf
})

/** Stopped after one removal, it leaves increments that do not go on from where those before them end. */
const gapped: ReadonlyArray<Made> = [20, 19, 18, 10, 9].map((days, at) => ({
  kind: days === 20 || days === 9 ? "full" : "increment",
  madeAt: NOW - days * DAY,
  seq: 2 * at + 1
}))

describe("Pruning", () => {
  it("keeps what restores to any moment of the last days, and to any full backup of the days before them", () => {
    fc.assert(
      fc.property(made, keepDays, (all, days) => {
        const names = named(all)
        const gone = new Set(needless(names, NOW, days).map(({ name }) => name))
        const left = new Set(all.filter((one) => !gone.has(manifestName(one))))
        for (const target of all) {
          if (!isKept(target, days)) continue
          expect(left.has(target)).toBe(true)
          expect(restores(all, left, target)).toBe(true)
        }
      }),
      property()
    )
  })

  it("leaves no backup before the full one that the days begin with, and no old increment that a full one covers", () => {
    fc.assert(
      fc.property(made, keepDays, (all, days) => {
        const names = named(all)
        const gone = new Set(needless(names, NOW, days))
        const left = names.filter((name) => !gone.has(name))
        const old = left.filter(({ kind, madeAt }) => kind === "full" && madeAt <= NOW - days * DAY)
        expect(old.length).toBeLessThanOrEqual(1)
        const lastOld = left.findLastIndex(
          ({ kind, madeAt }) => kind === "full" && madeAt <= NOW - INCREMENT_DAYS * DAY
        )
        expect(left.slice(0, Math.max(0, lastOld)).some(({ kind }) => kind === "increment")).toBe(false)
      }),
      property()
    )
  })

  it("is whole when it is stopped after any removal, and goes on", async () => {
    await fc.assert(
      fc.asyncProperty(made, keepDays, fc.nat(40), async (all, days, removals) => {
        const files = new Map<string, Uint8Array>()
        const whole = memoryStore(files, Number.POSITIVE_INFINITY)
        const run = <A, E>(effect: Effect.Effect<A, E, BackupStore>, store = whole) =>
          Effect.runPromise(Effect.provide(effect, store))
        const pruned = prune(NOW, days)
        const chunksOf = await run(written(all))
        await run(Effect.exit(pruned), memoryStore(files, removals))
        const restored = Effect.forEach(
          all.filter((one) => isKept(one, days)),
          ({ madeAt, seq }) =>
            Effect.map(planRestore({ _tag: "Time", at: madeAt }), ({ beside }) => expect(beside.seq).toBe(seq))
        )
        await run(auditStore)
        await run(restored)
        await run(pruned)
        await run(restored)
        await run(auditStore)
        const gone = new Set(needless(named(all), NOW, days).map(({ name }) => name))
        const left = [...chunksOf].filter(([name]) => !gone.has(name))
        expect((await run(manifestNames())).map(({ name }) => name)).toEqual(left.map(([name]) => name))
        expect(new Set(await run(chunkNames))).toEqual(new Set(left.flatMap(([, chunks]) => chunks)))
      }),
      { ...property<[ReadonlyArray<Made>, number, number]>(4), examples: [[gapped, 40, 1]] }
    )
  })
})
