import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { CarriedRequest, carriedFields, sentOfCarried, sentResponse } from "../../../src/cluster/CarriedRequest.ts"
import { answered, elsewhere } from "../../../src/cluster/ForwardedRequest.ts"
import { property } from "../../lib/Property.ts"

const BODY = fc.oneof(fc.json(), fc.string({ unit: "grapheme" }), fc.constant("\uFEFF{}"), fc.constant("\uFEFF\uFEFF1"))

const request = { id: 1, method: "POST", path: "/api/arena/commitments", address: "192.0.2.7", port: 1 }

const TYPE = ["content-type", "application/json"] as const

/** What reading a body gives, or that it cannot be read so. */
const read = async (given: Request) => {
  const copies = [given.clone(), given.clone(), given.clone()] as const
  return {
    text: await copies[0].text(),
    json: await copies[1].json().catch(() => "none"),
    bytes: new Uint8Array(await copies[2].arrayBuffer())
  }
}

describe("A request that shares a message with others", () => {
  it("reads as one of the same bytes that came by itself", async () => {
    await fc.assert(
      fc.asyncProperty(BODY, async (body) => {
        const plain = new Request(`http://node${request.path}`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: Buffer.from(body)
        })
        const carried = () => new CarriedRequest({ ...request, headers: [TYPE], body })
        expect({
          text: await carried().text(),
          json: await carried()
            .json()
            .catch(() => "none"),
          bytes: new Uint8Array(await carried().arrayBuffer())
        }).toEqual(await read(plain))
        expect([carried().method, new URL(carried().url).pathname]).toEqual(["POST", request.path])
      }),
      property()
    )
  })

  it("has its caller's headers, and none with which only nodes speak", () => {
    const given = new Headers({
      connection: "x",
      te: "trailers",
      "content-length": "9",
      "x-emporion-node": "forged",
      "x-emporion-peer": "forged",
      "x-emporion-forwarded": "forged",
      "emporion-position": "a-1",
      "x-a": "b"
    })
    const own = { key: undefined, position: undefined, length: 3 }
    expect(Object.fromEntries(carriedFields(given, own))).toEqual({
      "content-length": "3",
      "emporion-position": "a-1",
      "x-a": "b"
    })
    expect(Object.fromEntries(carriedFields(given, { key: "k", position: "a-2", length: 3 }))).toEqual({
      "content-length": "3",
      "emporion-position": "a-2",
      "idempotency-key": "k",
      "x-a": "b"
    })
  })
})

describe("The answer to one", () => {
  const returned = async (response: Response, isKeyed = true) => sentOfCarried(await sentResponse(1, response), isKeyed)

  it("did nothing where the node does not write", async () => {
    expect(await returned(elsewhere())).toEqual({ _tag: "Unsent" })
  })

  it("ends the caller's connection, and not that of the nodes", async () => {
    const sent = await returned(answered(new Response("{}", { headers: { connection: "close", date: "today" } })))
    if (sent._tag !== "Answered") throw new Error(sent._tag)
    expect(sent.response.headers.get("connection")).toBe("close")
    expect(sent.response.headers.has("date")).toBe(false)
    const other = await returned(new Response("{}", { headers: { connection: "keep-alive" } }))
    if (other._tag !== "Answered") throw new Error(other._tag)
    expect(other.response.headers.has("connection")).toBe(false)
  })

  it("is the caller's repetition only under the caller's key", async () => {
    const shown = async (isKeyed: boolean) => {
      const sent = await returned(new Response("{}", { headers: { "idempotency-replayed": "true" } }), isKeyed)
      return sent._tag === "Answered" && sent.response.headers.has("idempotency-replayed")
    }
    expect([await shown(true), await shown(false)]).toEqual([false, true])
  })
})
