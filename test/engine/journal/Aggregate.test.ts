import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import {
  type Aggregate,
  AggregateStates,
  changesBetween,
  folded,
  type Happened
} from "../../../engine/journal/Aggregate.ts"
import { RowStore } from "../../lib/RowStore.ts"
import { property } from "../../lib/Property.ts"
import { withdrawn } from "../../lib/TransferEvents.ts"

/** How often an owner withdrew, whichever of its two names the events say. */
interface Count {
  readonly owner: string
  readonly times: number
}

const aliasOf = (owner: string): string => `alias-${owner}`

const rowOf = ({ owner, times }: Count) => ({
  table: "funds" as const,
  values: [owner, owner, "USD", `${owner}/USD/wallet`, `${times}`]
})

const counts: Aggregate<Count> = {
  of: (event) => (event._tag === "MoneyWithdrawn" ? { name: event.owner, isNew: event.at === 0 } : undefined),
  after: (before, { event }) => ({
    owner: before?.owner ?? (event._tag === "MoneyWithdrawn" ? event.owner.replace("alias-", "") : ""),
    times: (before?.times ?? 0) + 1
  }),
  namesOf: ({ owner }) => [owner, aliasOf(owner)],
  rows: (count) => [rowOf(count)]
}

const owners = ["ada", "bob", "cyd", "dan"]

/** Transactions: committed at once, or lost and tried again, or committed without an answer. */
const transactions = fc.array(
  fc.record({
    events: fc.array(fc.record({ owner: fc.constantFrom(...owners), byAlias: fc.boolean() }), { maxLength: 5 }),
    fate: fc.constantFrom("told" as const, "lost" as const, "untold" as const)
  }),
  { maxLength: 12 }
)

const one = (owner: string, fate: "told" | "untold" = "told", byAlias = false) => ({
  events: [{ owner, byAlias }],
  fate
})

/** A state was forgotten by one of its names, and used later as it had been by the other. */
const FORGOTTEN_BY_ONE_NAME = [
  one("cyd"),
  { ...one("ada"), events: [...one("ada").events, ...one("dan").events] },
  one("cyd"),
  one("cyd", "untold", true),
  one("cyd")
]

describe("an aggregate's states", () => {
  it("leave in the tables what all events come to, whatever is forgotten or lost on the way", () => {
    fc.assert(
      fc.property(transactions, fc.nat(5), (all, capacity) => {
        const states = new AggregateStates(counts, capacity)
        const known = new Set<string>()
        let tables = new RowStore()
        let committed: ReadonlyArray<Happened> = []
        const attempt = (events: ReadonlyArray<Happened>, fate: "told" | "lost" | "untold"): void => {
          const { missing, steps } = states.begin(events)
          const wanted = new Set(missing.map((name) => name.replace("alias-", "")))
          for (const owner of wanted) {
            const own = committed.filter(({ event }) => "owner" in event && event.owner.endsWith(owner))
            const state = folded(counts, own)
            if (state !== undefined) steps.load(state)
          }
          const written = tables.copy()
          for (const row of events.flatMap((event) => steps.take(event))) written.apply(row)
          if (fate === "lost") return
          tables = written
          committed = [...committed, ...events]
          if (fate === "told") states.keep(steps.states)
        }
        for (const { events, fate } of all) {
          const happened = events.map(({ byAlias, owner }, index): Happened => {
            const isNew = !known.has(owner)
            known.add(owner)
            const name = byAlias && !isNew ? aliasOf(owner) : owner
            return { event: { ...withdrawn, owner: name, at: isNew ? 0 : 1 }, seq: committed.length + index + 1 }
          })
          attempt(happened, fate)
          if (fate === "lost") attempt(happened, "told")
        }
        const times = Map.groupBy(committed, ({ event }) => ("owner" in event ? event.owner.replace("alias-", "") : ""))
        expect(
          [...tables.rows.values()].toSorted((one, other) => (one.values[0]! < other.values[0]! ? -1 : 1))
        ).toEqual(
          [...times]
            .map(([owner, own]) => rowOf({ owner, times: own.length }))
            .toSorted((one, other) => (one.values[0]! < other.values[0]! ? -1 : 1))
        )
      }),
      { ...property(), examples: [[FORGOTTEN_BY_ONE_NAME, 5]] }
    )
  })

  it("are read only where none is kept and there may be one", () => {
    const states = new AggregateStates(counts, 9)
    const one = (owner: string, at: number): Happened => ({ event: { ...withdrawn, owner, at }, seq: 1 })
    const first = states.begin([one("ada", 0), one("ada", 1), one("bob", 1)])
    expect(first.missing).toEqual(["bob"])
    for (const event of [one("ada", 0), one("ada", 1)]) first.steps.take(event)
    states.keep(first.steps.states)
    expect(states.begin([one("alias-ada", 1)]).missing).toEqual([])
    expect(states.begin([one("ada", 1)]).missing).toEqual(["ada"])
  })
})

describe("the changes between rows", () => {
  it("are new rows, and the columns that differ", () => {
    const [ada, bob] = [rowOf({ owner: "ada", times: 1 }), rowOf({ owner: "bob", times: 1 })]
    expect(changesBetween([ada], [rowOf({ owner: "ada", times: 2 }), bob])).toEqual([
      { _tag: "Set", table: "funds", key: "ada", columns: { created_at: "2" } },
      { _tag: "Add", row: bob }
    ])
    expect(changesBetween([ada], [ada])).toEqual([])
  })
})
