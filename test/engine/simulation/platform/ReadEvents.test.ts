import { describe, expect, it } from "bun:test"
import { Result } from "effect"
import type { KeptEvent } from "../../../../engine/simulation/MemoryTables.ts"
import { READ_EVENTS, ReadEvents } from "../../../../engine/simulation/platform/ReadEvents.ts"

const kept = (seq: number, closed = false): KeptEvent => ({
  seq,
  stream: "vault",
  version: seq,
  hash: "ab",
  data: JSON.stringify({ _tag: "VaultDepositsSet", at: 1, closed })
})

describe("ReadEvents", () => {
  it("reads an event from its bytes once", () => {
    const reads = new ReadEvents()
    const first = reads.of(kept(1))
    expect(first).toEqual(
      Result.succeed({
        seq: 1,
        stream: "vault",
        version: 1,
        hash: "ab",
        event: { _tag: "VaultDepositsSet", at: 1, closed: false }
      })
    )
    expect(reads.of({ ...kept(1) })).toBe(first)
  })

  it("reads it again where it has other bytes, and says what cannot be read", () => {
    const reads = new ReadEvents()
    const first = reads.of(kept(1))
    expect(reads.of(kept(1, true))).not.toEqual(first)
    expect(Result.isFailure(reads.of({ ...kept(2), data: '{"_tag":"VaultDepositsSet"}' }))).toBe(true)
  })

  it("keeps the last ones alone", () => {
    const reads = new ReadEvents()
    const first = reads.of(kept(1))
    for (let seq = 2; seq <= READ_EVENTS; seq++) reads.of(kept(seq))
    expect(reads.of(kept(1))).toBe(first)
    for (let seq = READ_EVENTS + 1; seq <= 3 * READ_EVENTS; seq++) reads.of(kept(seq))
    const again = reads.of(kept(1))
    expect(again).not.toBe(first)
    expect(again).toEqual(first)
  })
})
