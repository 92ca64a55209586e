import { describe, expect, it } from "bun:test"
import { load } from "../../../scripts/bench/HttpLoad.ts"

const plan = { connections: 4, millis: 100, seed: 1 }

describe("the load generator", () => {
  it("sends what it is told with every token, and counts what is answered", async () => {
    const seen = new Set<string>()
    const body = "x".repeat(200_000)
    const server = Bun.serve({
      port: 0,
      fetch: async (request) => {
        seen.add(
          `${request.method} ${new URL(request.url).pathname} ${request.headers.get("authorization")} ${await request.text()}`
        )
        return new Response(body)
      }
    })
    const calls = [
      { line: "POST /a", body: `{"a":"é"}` },
      { line: "GET /b", body: "" }
    ]
    const all = { ...plan, port: server.port!, calls, tokens: ["s", "t"] }
    let result = await load(all)
    // A machine with much else to do sends less than all in the time.
    while (seen.size < calls.length * all.tokens.length) result = await load(all)
    await server.stop(true)
    expect(result.answered).toBeGreaterThan(0)
    expect(result.refused).toBe(0)
    expect(result.p50).toBeLessThanOrEqual(result.p99)
    expect([...seen].toSorted()).toEqual([
      "GET /b Bearer s ",
      "GET /b Bearer t ",
      `POST /a Bearer s {"a":"é"}`,
      `POST /a Bearer t {"a":"é"}`
    ])
  })

  it("waits for the first answer of a server that is slower than its time", async () => {
    const begun = Promise.withResolvers<void>()
    const answer = Promise.withResolvers<void>()
    const server = Bun.serve({
      port: 0,
      fetch: async () => {
        begun.resolve()
        await answer.promise
        return new Response("at last")
      }
    })
    const running = load({ ...plan, millis: 0, port: server.port!, calls: [{ line: "GET /", body: "" }], tokens: [] })
    await begun.promise
    answer.resolve()
    const result = await running
    await server.stop(true)
    expect(result.answered).toBeGreaterThan(0)
    expect(result.p99).toBeFinite()
  })

  it("tells the rate of each whole slice, which add up to no more than all answers", async () => {
    const server = Bun.serve({ port: 0, fetch: () => new Response("ok") })
    const calls = [{ line: "GET /", body: "" }]
    const all = { ...plan, millis: 400, port: server.port!, calls, tokens: [] }
    const { answered, slices } = await load({ ...all, sliceMillis: 200 })
    const { slices: none } = await load({ ...all, millis: 10 })
    await server.stop(true)
    expect(slices).toHaveLength(2)
    const inSlices = slices.reduce((sum, perSecond) => sum + perSecond * 0.2, 0)
    expect(inSlices).toBeGreaterThan(0)
    expect(inSlices).toBeLessThanOrEqual(answered)
    expect(none).toEqual([])
  })

  it("sends at a rate as many as were planned, and counts their time from the plan", async () => {
    const server = Bun.serve({ port: 0, fetch: () => new Response("ok") })
    const all = {
      ...plan,
      millis: 500,
      rate: 200,
      port: server.port!,
      calls: [{ line: "GET /", body: "" }],
      tokens: []
    }
    const { answered, p50, p999 } = await load(all)
    await server.stop(true)
    expect(answered).toBe(100)
    expect(p50).toBeLessThanOrEqual(p999)
  })

  it("counts the wait for a connection where a request finds none free", async () => {
    const waiting: Array<() => void> = []
    const server = Bun.serve({
      port: 0,
      fetch: async () => {
        const answer = Promise.withResolvers<void>()
        waiting.push(answer.resolve)
        if (waiting.length === 2) for (const go of waiting) go()
        if (waiting.length <= 2) await answer.promise
        return new Response("ok")
      }
    })
    const calls = [{ line: "GET /", body: "" }]
    // The first request waits for the second: with one connection it would wait for ever.
    const all = { ...plan, connections: 2, millis: 100, rate: 100, port: server.port!, calls, tokens: [] }
    const { answered } = await load(all)
    await server.stop(true)
    expect(answered).toBe(10)
  })

  it("keeps refusals apart and shows the first", async () => {
    const server = Bun.serve({ port: 0, fetch: () => new Response("not now", { status: 503 }) })
    const result = await load({ ...plan, port: server.port!, calls: [{ line: "GET /", body: "" }], tokens: [] })
    await server.stop(true)
    expect(result.answered).toBe(0)
    expect(result.refused).toBeGreaterThan(0)
    expect(result.refusal).toContain("503")
    expect(result.refusal).toContain("not now")
  })
})
