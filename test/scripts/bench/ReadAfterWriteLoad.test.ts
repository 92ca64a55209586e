import { describe, expect, it } from "bun:test"
import { readAfterWrites } from "../../../scripts/bench/ReadAfterWriteLoad.ts"

/** A server of commitments whose reads show each caller the newest of its own, or the one before where it is stale. */
const serve = (isStale: boolean) => {
  const made = new Map<string | null, Array<string>>()
  let count = 0
  return Bun.serve({
    port: 0,
    fetch: (request) => {
      const caller = request.headers.get("authorization")
      const own = made.get(caller) ?? []
      made.set(caller, own)
      if (request.method === "POST") {
        own.push(`com_${(count += 1)}`)
        return Response.json({ data: { commitment_id: own.at(-1) } })
      }
      const newest = own.at(isStale ? -2 : -1)
      return Response.json({ commitments: newest === undefined ? [] : [{ commitment_id: newest }] })
    }
  })
}

const run = async (isStale: boolean) => {
  const server = serve(isStale)
  const calls = [{ line: "POST /api/arena/commitments", body: "{}" }]
  const result = await readAfterWrites({ port: server.port!, tokens: ["a", "b", "c"], millis: 50, rate: 400, calls })
  await server.stop(true)
  return result
}

describe("reads after writes", () => {
  it("are all asked for what was planned, and show what their caller wrote", async () => {
    const { answered, fault, missed, reads, refused, writes } = await run(false)
    expect({ answered, missed, refused, fault }).toEqual({ answered: 20, missed: 0, refused: 0, fault: "" })
    for (const { p50, p99 } of [reads, writes]) expect(p50).toBeLessThanOrEqual(p99)
  })

  it("are missed where they show what was there before", async () => {
    const { answered, fault, missed } = await run(true)
    expect([answered, missed]).toEqual([20, 20])
    expect(fault).toContain("was written")
  })

  it("are not read after what was refused", async () => {
    const server = Bun.serve({ port: 0, fetch: () => new Response("no", { status: 503 }) })
    const calls = [{ line: "POST /", body: "{}" }]
    const result = await readAfterWrites({ port: server.port!, tokens: ["a"], millis: 10, rate: 400, calls })
    await server.stop(true)
    expect(result).toMatchObject({ answered: 0, refused: 4, fault: "no" })
  })
})
