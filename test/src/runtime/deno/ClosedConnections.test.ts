import { describe, expect, it } from "bun:test"
import { ClosedConnections } from "../../../../src/runtime/deno/ClosedConnections.ts"

describe("ClosedConnections", () => {
  it("knows a connection that had its last answer once, and no other one", () => {
    const closed = new ClosedConnections()
    closed.add("10.0.0.1", 4_000, 0)
    expect([closed.take("10.0.0.1", 4_001, 1), closed.take("10.0.0.2", 4_000, 1)]).toEqual([false, false])
    expect([closed.take("10.0.0.1", 4_000, 1), closed.take("10.0.0.1", 4_000, 1)]).toEqual([true, false])
  })

  it("takes a port for another connection's after ten seconds", () => {
    const closed = new ClosedConnections()
    closed.add("10.0.0.1", 4_000, 0)
    closed.add("10.0.0.1", 4_001, 0)
    expect([closed.take("10.0.0.1", 4_000, 9_999), closed.take("10.0.0.1", 4_001, 10_000)]).toEqual([true, false])
  })

  it("forgets the oldest of more than it remembers", () => {
    const closed = new ClosedConnections()
    for (let port = 0; port < 10_001; port++) closed.add("10.0.0.1", port, 0)
    expect([closed.size, closed.take("10.0.0.1", 0, 1), closed.take("10.0.0.1", 1, 1)]).toEqual([10_000, false, true])
  })
})
