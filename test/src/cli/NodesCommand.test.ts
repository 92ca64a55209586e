import { describe, expect, it } from "bun:test"
import { nodesFinding } from "../../../src/checks/DatabaseCheck.ts"
import { nodesText } from "../../../src/cli/NodesCommand.ts"
import type { NodeList } from "../../../src/database/NodeRepository.ts"

const AT = new Date("2026-01-02T03:04:05.000Z")

const TWO: NodeList = {
  nodes: [
    { address: "10.0.0.7:7100", since: AT, writes: true },
    { address: "10.0.0.8:7100", since: AT, writes: false }
  ],
  term: 7n,
  writer: "10.0.0.7:7100",
  servingSince: AT,
  lag: 3
}

const GONE: NodeList = {
  ...TWO,
  servingSince: undefined,
  nodes: [
    { address: "10.0.0.7:7100", since: AT, writes: true },
    { address: "10.0.0.8:7100", since: undefined, writes: false }
  ]
}

const UNKNOWN: ReadonlyMap<string, number> = new Map()

describe("The nodes for a person", () => {
  it("are a line each, and the term", () => {
    expect(nodesText(TWO, new Map([["10.0.0.8:7100", 4]])).split("\n")).toEqual([
      "10.0.0.7:7100               since 2026-01-02T03:04:05.000Z, writes since 2026-01-02T03:04:05.000Z",
      "10.0.0.8:7100               since 2026-01-02T03:04:05.000Z, 4 events behind",
      "term 7, the tables lack 3 events"
    ])
    expect(nodesText(GONE, UNKNOWN)).toContain("10.0.0.7:7100               since 2026-01-02T03:04:05.000Z, takes over")
    expect(nodesText(GONE, UNKNOWN)).toContain("10.0.0.8:7100               gone")
    expect(nodesText({ ...TWO, nodes: [] }, UNKNOWN)).toBe(
      "No node of several works on this database. A server without CLUSTER=on works alone."
    )
  })

  it("are worth a look where one is gone or none writes", () => {
    expect(nodesFinding(TWO)).toEqual([
      {
        about: "nodes",
        standing: "ok",
        text: "2, of which 10.0.0.7:7100 writes since 2026-01-02T03:04:05.000Z under term 7, the tables lack 3 events"
      }
    ])
    expect(nodesFinding(GONE)).toEqual([
      {
        about: "nodes",
        standing: "warn",
        text: "none writes, 10.0.0.8:7100 is gone: look at its log, and make sure that something restarts it."
      }
    ])
    expect(nodesFinding({ ...TWO, nodes: [] })).toEqual([])
  })
})
