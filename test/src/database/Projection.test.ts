import { describe, expect, it } from "bun:test"
import { Effect } from "effect"
import type { Recorded } from "../../../engine/actor/Journal.ts"
import type { Aggregate } from "../../../engine/journal/Aggregate.ts"
import type { TableRow } from "../../../engine/journal/TableRow.ts"
import type { PlatformEvent } from "../../../engine/replay/PlatformEvent.ts"
import { aggregates, Projection } from "../../../src/database/Projection.ts"
import { withdrawn } from "../../lib/TransferEvents.ts"

const counts: Aggregate<{ readonly owner: string; readonly times: number }> = {
  of: (event) => (event._tag === "MoneyWithdrawn" ? { name: event.owner, isNew: false } : undefined),
  after: (before, { event }) => ({
    owner: event._tag === "MoneyWithdrawn" ? event.owner : "",
    times: (before?.times ?? 0) + 1
  }),
  namesOf: ({ owner }) => [owner],
  rows: ({ owner, times }) => [{ table: "funds", values: [owner, owner, "USD", "account", `${times}`] }]
}

const recorded = (owner: string, seq: number): Recorded<PlatformEvent> => ({
  seq,
  stream: "s",
  version: seq,
  hash: "",
  event: { ...withdrawn, owner }
})

/** A projection of one aggregate, what it writes, and what it reads, where Ada has withdrawn twice. */
const fixture = () => {
  const read: Array<string> = []
  const wrote: Array<TableRow> = []
  const load = (names: ReadonlyArray<string>) =>
    Effect.sync(() => {
      read.push(...names)
      return names.includes("ada") ? [{ owner: "ada", times: 2 }] : []
    })
  const { begin } = Projection.composed([{ aggregates: [aggregates(counts, load)], answers: {} }], {
    steps: (parts) => {
      for (const rows of parts) wrote.push(...rows)
      return []
    }
  })
  const write = (...events: Parameters<typeof begin>[0]) => {
    const { statements, written } = Effect.runSync(begin(events))
    statements()
    return { written }
  }
  return { read, wrote, write }
}

describe("the projection of an aggregate", () => {
  it("goes on from what the tables have, over all events", () => {
    const { read, write, wrote } = fixture()
    write(recorded("ada", 1), recorded("bob", 2), recorded("ada", 3))
    expect(read).toEqual(["ada", "bob"])
    expect(wrote.map((row) => (row._tag === "Set" ? row.columns : row))).toMatchObject([
      { created_at: "3" },
      { _tag: "Add" },
      { created_at: "4" }
    ])
  })

  it("keeps what was written, and reads again what may not have been", () => {
    const { read, write } = fixture()
    write(recorded("ada", 1)).written()
    write(recorded("ada", 2))
    expect(read).toEqual(["ada"])
    write(recorded("ada", 2)).written()
    expect(read).toEqual(["ada", "ada"])
    write(recorded("ada", 3))
    expect(read).toEqual(["ada", "ada"])
  })
})
