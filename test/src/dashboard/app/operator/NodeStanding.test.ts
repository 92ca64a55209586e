import { describe, expect, it } from "bun:test"
import { concernOf, standingOf } from "../../../../../src/dashboard/app/operator/NodeStanding.ts"

const SINCE = "2026-01-01T00:00:00.000Z"

const nodeOf = (address: string, change: object = {}) => ({
  address,
  connected_since: SINCE as string | null,
  writes: false,
  behind: 0,
  ...change
})

const nodesOf = (nodes: ReadonlyArray<ReturnType<typeof nodeOf>>, change: object = {}) => ({
  nodes,
  writer: "a:1" as string | null,
  serving_since: SINCE as string | null,
  term: 7,
  unprojected: 0,
  ...change
})

const writer = nodeOf("a:1", { writes: true, behind: null })

describe("What a node does", () => {
  it("is to write, to take over, to stand by, or nothing any more", () => {
    const standby = nodeOf("b:1")
    const words = (change: object) =>
      [writer, standby].map((node) => standingOf({ ...node, ...change }, nodesOf([writer, standby])).word)
    expect(words({})).toEqual(["Writes", "Stands by"])
    expect(words({ connected_since: null })).toEqual(["Gone", "Gone"])
    expect(standingOf(writer, nodesOf([writer], { serving_since: null })).word).toBe("Takes over")
  })
})

describe("What an operator should look after", () => {
  it("is nothing where all nodes are there, or one server is alone", () => {
    expect(concernOf(nodesOf([writer, nodeOf("b:1")]))).toBeUndefined()
    expect(concernOf(nodesOf([], { writer: null, serving_since: null }))).toBeUndefined()
  })

  it("is who writes, who is gone, and that somebody stands by", () => {
    const standby = nodeOf("b:1")
    expect(concernOf(nodesOf([writer, standby], { serving_since: null }))).toContain("No node takes requests")
    expect(concernOf(nodesOf([nodeOf("a:1", { writes: true, connected_since: null }), standby]))).toContain("No node")
    expect(concernOf(nodesOf([writer, nodeOf("b:1", { connected_since: null })]))).toContain("b:1 is gone")
    expect(concernOf(nodesOf([writer]))).toContain("Nobody stands by")
  })
})
