import { expect } from "bun:test"
import { merged, type TableRow } from "../../engine/journal/TableRow.ts"
import type { FamilyReplay } from "../../engine/replay/FamilyReplay.ts"
import type { RowSink } from "../../engine/replay/RowSink.ts"
import { keyOf, type StateRow } from "../../engine/replay/StateTable.ts"
import type { StoredEvent } from "../../engine/replay/StoredEvent.ts"
import { RowStore } from "./RowStore.ts"

/** An event where it stands, and what a projection makes of it. */
export interface ProjectedEvent<Event> {
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
