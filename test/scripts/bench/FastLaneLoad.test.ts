import { describe, expect, it } from "bun:test"
import { type FastLanePlan, loadFastLane } from "../../../scripts/bench/FastLaneLoad.ts"

interface Message {
  readonly id: string
  readonly tag: string
  readonly payload: {
    readonly access_token?: string
    readonly items?: ReadonlyArray<{ readonly order_id: string; readonly quantity: number }>
  }
}

/** A server that answers every batch with one kind of result, and which orders were asked for, by whom. */
const fake = (result: string) => {
  const asked: Array<readonly [caller: string, orders: ReadonlyArray<string>]> = []
  const server = Bun.serve<{ caller: string }>({
    port: 0,
    fetch: (request, bun) => (bun.upgrade(request, { data: { caller: "" } }) ? undefined : new Response("no upgrade")),
    websocket: {
      message: (socket, frame) => {
        const { id, payload } = JSON.parse(String(frame)) as Message
        const { access_token: token, items = [] } = payload
        if (token === undefined) asked.push([socket.data.caller, items.map(({ order_id: orderId }) => orderId)])
        else socket.data.caller = token
        const exit = { _tag: "Success", value: { results: items.map(() => ({ _tag: result })) } }
        socket.send(JSON.stringify([{ _tag: "Exit", requestId: id, exit }]))
      }
    }
  })
  return { asked, server }
}

const plan = (port: number | undefined): FastLanePlan => ({
  port: port ?? 0,
  connections: 2,
  batch: 3,
  millis: 50,
  orderIds: ["a", "b"],
  tokens: ["s", "t"],
  terms: `"quantity":1`,
  seed: 0
})

describe("the load generator of the fast lane", () => {
  it("sends each caller's next batch after the answer, in turns over the orders, and counts commitments", async () => {
    const { asked, server } = fake("Accepted")
    const result = await loadFastLane(plan(server.port))
    await server.stop(true)
    expect(result.answered).toBeGreaterThan(0)
    expect(result.answered % 3).toBe(0)
    expect(result.refusal).toBe("")
    expect(new Set(asked.map(([caller]) => caller))).toEqual(new Set(["s", "t"]))
    expect(asked.slice(0, 2).map(([, orders]) => orders)).toEqual([
      ["b", "a", "b"],
      ["a", "b", "a"]
    ])
  })

  it("sends what was planned at its rate, and counts from when it was planned", async () => {
    const { asked, server } = fake("Accepted")
    const result = await loadFastLane({ ...plan(server.port), rate: 600 })
    await server.stop(true)
    expect(asked).toHaveLength(10)
    expect(result.answered).toBe(30)
    expect(result.p50).toBeLessThanOrEqual(result.p99)
  })

  it("shows a refusal", async () => {
    const { server } = fake("Refused")
    const result = await loadFastLane(plan(server.port))
    await server.stop(true)
    expect(result.refusal).toContain("Refused")
  })
})
