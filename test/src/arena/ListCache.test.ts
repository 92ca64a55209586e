import { describe, expect, it } from "bun:test"
import { Clock, Effect } from "effect"
import * as fc from "fast-check"
import { ListCache, type Grown, MAX_AGE, MAX_MISSED } from "../../../src/arena/ListCache.ts"
import { itLive, wait } from "../../lib/Effects.ts"
import { property } from "../../lib/Property.ts"

interface Row {
  readonly seq: number
  readonly about: string
  /** How often what it is about had changed. */
  readonly version: number
}

const WINDOW = 3
const MAX_ROWS = 12
const LISTS = 3

/** What happens to the rows that are stored, in order. */
type Happening =
  | { readonly what: "add"; readonly list: string; readonly about: string; readonly seq: number }
  | { readonly what: "change"; readonly about: string }

const step = fc.oneof(
  fc.record({ what: fc.constant("add" as const), list: fc.nat(LISTS - 1), about: fc.nat(2) }),
  fc.record({ what: fc.constant("change" as const), about: fc.nat(2) }),
  fc.record({ what: fc.constant("tell" as const) }),
  fc.record({ what: fc.constant("tell" as const) }),
  fc.record({ what: fc.constant("look" as const), list: fc.nat(LISTS - 1), share: fc.nat(4), waits: fc.nat(12) })
)

/** The rows of a list, oldest first, after some of what happened. */
const rowsAfter = (happened: ReadonlyArray<Happening>, list: string): ReadonlyArray<Row> => {
  const rows: Array<Row> = []
  for (const one of happened) {
    if (one.what === "add" && one.list === list) rows.push({ seq: one.seq, about: one.about, version: 0 })
    if (one.what === "change") {
      for (const [at, row] of rows.entries())
        if (row.about === one.about) rows[at] = { ...row, version: row.version + 1 }
    }
  }
  return rows
}

const grownOf = (rows: ReadonlyArray<Row>): Grown<Row> => ({
  head: undefined,
  rows: rows.slice(-WINDOW),
  total: rows.length
})

const listsOf = (options: { readonly maxRows?: number; readonly isCertain?: () => boolean } = {}) =>
  new ListCache<Row>({ aboutOf: ({ about }) => about, window: WINDOW, isCertain: () => true, ...options })

const rowOf = (seq: number): Row => ({ seq, about: "a", version: 0 })

describe("ListCache", () => {
  it("shows a list as it is after all that was told, and at most after all that happened", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 100 }), (steps) => {
        const lists = listsOf({ maxRows: MAX_ROWS })
        const happened: Array<Happening> = []
        let told = 0
        const tell = (): void => {
          const next = happened[told]
          if (next === undefined) return
          told += 1
          if (next.what === "change") return lists.outdate(next.about)
          lists.add(next.list, next.seq, () => ({ seq: next.seq, about: next.about, version: 0 }))
        }
        const isShown = (list: string, { rows, total }: Grown<Row>, least: number): boolean => {
          for (let count = least; count <= happened.length; count += 1) {
            const then = rowsAfter(happened.slice(0, count), list)
            const isSame = JSON.stringify(rows) === JSON.stringify(then.slice(-rows.length || then.length))
            if (isSame && total === then.length && rows.length >= Math.min(WINDOW, total)) return true
          }
          return false
        }
        const look = Effect.fnUntraced(function* (list: string, share: number, waits: number) {
          const least = told
          const read = Effect.suspend(() => {
            const seen = least + Math.floor(((happened.length - least) * share) / 4)
            const found = grownOf(rowsAfter(happened.slice(0, seen), list))
            return Effect.as(wait(waits), found)
          })
          const kept = lists.find(list, yield* Clock.currentTimeMillis)
          expect(isShown(list, kept ?? (yield* lists.read(list, read)), least)).toBe(true)
        })
        const take = (taken: (typeof steps)[number]) =>
          Effect.suspend(() => {
            if (taken.what === "look") return look(`l${taken.list}`, taken.share, taken.waits)
            if (taken.what === "tell") tell()
            if (taken.what === "change") happened.push({ what: "change", about: `s${taken.about}` })
            if (taken.what === "add") {
              happened.push({ what: "add", list: `l${taken.list}`, about: `s${taken.about}`, seq: happened.length + 1 })
            }
            return Effect.void
          })
        const all = Effect.forEach(steps, (taken) => Effect.andThen(Effect.yieldNow, take(taken)), { concurrency: 6 })
        const ended = Effect.gen(function* () {
          yield* all
          while (told < happened.length) tell()
          const now = yield* Clock.currentTimeMillis
          for (let list = 0; list < LISTS; list += 1) {
            const kept = lists.find(`l${list}`, now)
            if (kept !== undefined) expect(isShown(`l${list}`, kept, happened.length)).toBe(true)
          }
          const { lists: count, readings, rows, subjects } = lists.size
          expect(readings).toBe(0)
          expect(rows + 2 * count).toBeLessThanOrEqual(MAX_ROWS)
          if (count === 0) expect([rows, subjects]).toEqual([0, 0])
        })
        return Effect.runPromise(ended)
      }),
      property()
    )
  })

  itLive("adds what was told to what was read, so that nothing is read again", () =>
    Effect.gen(function* () {
      const lists = listsOf()
      yield* lists.read("l", Effect.succeed(grownOf([rowOf(1)])))
      for (let seq = 2; seq <= 20; seq += 1) lists.add("l", seq, () => rowOf(seq))
      const kept = lists.find("l", yield* Clock.currentTimeMillis)
      expect(kept?.total).toBe(20)
      expect(kept?.rows.slice(-WINDOW).map(({ seq }) => seq)).toEqual([18, 19, 20])
      expect(lists.size.rows).toBeLessThanOrEqual(2 * WINDOW)
    })
  )

  itLive("keeps nothing while it is uncertain whether all was told, and nothing beyond its age", () =>
    Effect.gen(function* () {
      let isCertain = false
      const lists = listsOf({ isCertain: () => isCertain })
      const read = Effect.succeed(grownOf([rowOf(1)]))
      yield* lists.read("l", read)
      expect(lists.size.lists).toBe(0)
      isCertain = true
      yield* lists.read("l", read)
      const now = yield* Clock.currentTimeMillis
      expect(lists.find("l", now)?.total).toBe(1)
      isCertain = false
      expect(lists.find("l", now)).toBeUndefined()
      isCertain = true
      expect(lists.find("l", now + MAX_AGE)).toBeUndefined()
      expect(lists.size.lists).toBe(0)
    })
  )

  itLive("does not keep a list to which more was added while it was read than may be", () =>
    Effect.gen(function* () {
      const lists = listsOf()
      const added = (count: number) =>
        Effect.sync(() => {
          for (let seq = 2; seq < 2 + count; seq += 1) lists.add("l", seq, () => rowOf(seq))
          return grownOf([rowOf(1)])
        })
      yield* lists.read("l", added(MAX_MISSED + 1))
      expect(lists.size).toEqual({ lists: 0, rows: 0, subjects: 0, readings: 0 })
      yield* lists.read("l", added(MAX_MISSED))
      expect(lists.find("l", yield* Clock.currentTimeMillis)?.total).toBe(MAX_MISSED + 1)
    })
  )

  itLive("forgets the list first that was asked for longest ago", () =>
    Effect.gen(function* () {
      const lists = listsOf({ maxRows: 6 })
      const now = yield* Clock.currentTimeMillis
      for (const key of ["a", "b"]) yield* lists.read(key, Effect.succeed(grownOf([rowOf(1)])))
      expect(lists.find("a", now)?.total).toBe(1)
      yield* lists.read("c", Effect.succeed(grownOf([rowOf(2)])))
      expect(["a", "b", "c"].map((key) => lists.find(key, now)?.total)).toEqual([1, undefined, 1])
    })
  )

  itLive("keeps no more empty lists than others", () =>
    Effect.gen(function* () {
      const lists = listsOf({ maxRows: 10 })
      for (let key = 0; key < 100; key += 1) yield* lists.read(`${key}`, Effect.succeed(grownOf([])))
      expect(lists.size.lists).toBe(5)
    })
  )
})
