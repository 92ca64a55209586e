import { expect } from "bun:test"
import { type Aggregate, AggregateSteps, folded, type Happened } from "../../engine/journal/Aggregate.ts"
import { merged, type TableRow } from "../../engine/journal/TableRow.ts"
import type { FamilyReplay } from "../../engine/replay/FamilyReplay.ts"
import type { RowSink } from "../../engine/replay/RowSink.ts"
import { keyOf, type StateRow } from "../../engine/replay/StateTable.ts"
import type { StoredEvent } from "../../engine/replay/StoredEvent.ts"
import { RowStore } from "./RowStore.ts"

/** An event where it stands, and what a projection makes of it. */
interface ProjectedEvent<Event> {
  readonly event: Event
  readonly stored: StoredEvent
  readonly rows: ReadonlyArray<TableRow>
}

/** Expects the rows of a projection to leave what the context's replay derives: after each event, and all merged. */
export const expectDerivedRows = <Event>(
  events: ReadonlyArray<ProjectedEvent<Event>>,
  replayOf: (sink: RowSink) => FamilyReplay<Event>
): void => {
  const derived = new Map<string, StateRow>()
  const replay = replayOf({ history: true, put: (row) => derived.set(`${row.table}/${keyOf(row)}`, row) })
  const store = new RowStore()
  for (const { event, rows, stored } of events) {
    for (const row of rows) store.apply(row)
    replay.evolve(event, stored)
    expect(store.rows).toEqual(derived)
  }
  const atOnce = new RowStore()
  for (const row of merged(events.flatMap(({ rows }) => rows))) atOnce.apply(row)
  expect(atOnce.rows).toEqual(derived)
}

/** What each event makes of an aggregate's rows, which is the same whether the state before it was kept or is read. */
export const rowsOfAggregate = <S>(
  aggregate: Aggregate<S>,
  events: ReadonlyArray<Happened>
): ReadonlyArray<ReadonlyArray<TableRow>> => {
  const nameOf = ({ event }: Happened): string => aggregate.of(event)?.name ?? ""
  const kept = new AggregateSteps(aggregate, new Map())
  return events.map((one, index) => {
    const before = [...kept.states].map(aggregate.namesOf).find((names) => names.includes(nameOf(one))) ?? []
    const own = events.slice(0, index).filter((other) => before.includes(nameOf(other)))
    const anew = new AggregateSteps(aggregate, new Map())
    const state = folded(aggregate, own)
    if (state !== undefined) anew.load(state)
    const rows = kept.take(one)
    expect(anew.take(one)).toEqual(rows)
    return rows
  })
}
