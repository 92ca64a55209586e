import { describe, expect, it } from "bun:test"
import type { ChainedEvent } from "../../../engine/actor/CommitGroup.ts"
import { toHex } from "../../../engine/actor/EventChain.ts"
import { ChainAudit } from "../../../engine/simulation/ChainAudit.ts"
import { environment } from "../../lib/Simulations.ts"

const { link } = environment.hashing

const event = (seq: number, version: number, before: Uint8Array, data: string): ChainedEvent<object> => {
  const hashBytes = link(before, data)
  return { seq, stream: "order/1", version, event: {}, data, hashBytes, hash: toHex(hashBytes) }
}
const first = event(1, 1, new Uint8Array(32), "a")
const second = event(2, 2, first.hashBytes, "b")

const auditOf = () => {
  const broken: Array<string> = []
  return { broken, audit: new ChainAudit(link, (invariant) => void broken.push(invariant)) }
}

describe("ChainAudit", () => {
  it("follows the sequence, the versions and the chain", () => {
    const { audit, broken } = auditOf()
    audit.commit([first], [])
    audit.commit([second], [])
    audit.projected([first])
    audit.projected([second])
    audit.end([first, second])
    expect([broken, audit.lastSeq]).toEqual([[], 2])
  })

  it("sees a gap in the sequence or the versions, and a broken link", () => {
    for (const [wrong, invariant] of [
      [{ ...second, seq: 3 }, "sequence"],
      [{ ...second, version: 3 }, "version"],
      [{ ...second, data: "c" }, "chain"],
      [event(2, 2, new Uint8Array(32), "b"), "chain"]
    ] as const) {
      const { audit, broken } = auditOf()
      audit.commit([first, wrong], [])
      expect(broken).toEqual([invariant])
    }
  })

  it("sees a key that was committed twice, or refused although it is committed", () => {
    const { audit, broken } = auditOf()
    const answer = { key: "k", fingerprint: "f", recorded: first }
    audit.refused("k")
    audit.commit([first], [answer])
    expect(broken).toEqual([])
    audit.refused("k")
    audit.commit([], [answer])
    expect(broken).toEqual(["refused", "committed_twice"])
  })

  it("sees that something was told which is not recorded", () => {
    const { audit, broken } = auditOf()
    audit.commit([first], [])
    audit.acknowledged(first)
    expect(broken).toEqual([])
    audit.acknowledged(second)
    audit.acknowledged({ ...first, hash: "00" })
    expect(broken).toEqual(["acknowledged", "acknowledged"])
  })

  it("sees events that are lost or exchanged on their way to the tables", () => {
    for (const left of [[first], [second, first], [first, second, second]]) {
      const { audit, broken } = auditOf()
      audit.commit([first, second], [])
      audit.projected(left)
      audit.end([first, second])
      expect(broken).toContain("sequence")
    }
  })

  it("sees events that are lost or exchanged after the tables got them, but for those that were given up", () => {
    const givenUp = { seq: 0, hash: "" }
    for (const [left, problems] of [
      [[givenUp, second], []],
      [[first], ["sequence"]],
      [[second, first], ["sequence"]]
    ] as const) {
      const { audit, broken } = auditOf()
      audit.commit([first, second], [])
      audit.projected([first, second])
      audit.end(left)
      expect(broken).toEqual([...problems])
    }
  })
})
