import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { ResponseOutline, ResponseOutlines, sentOfCarried, sentResponse } from "../../../src/cluster/CarriedResponse.ts"
import { decodeResponses, encodeResponses } from "../../../src/cluster/ForwardedFrame.ts"
import { answered, elsewhere } from "../../../src/cluster/ForwardedRequest.ts"
import { HeardOutlines, SaidOutlines } from "../../../src/cluster/Outlines.ts"
import type { CarriedResponse } from "../../../src/runtime/ServerRuntime.ts"
import { property } from "../../lib/Property.ts"

/** Both ends of a connection. */
const ends = () => {
  const [outlines, said, heard] = [
    new ResponseOutlines(),
    new SaidOutlines(),
    new HeardOutlines((outline) => new ResponseOutline(outline))
  ]
  return async (response: CarriedResponse, isKeyed = true) => {
    const [back] = decodeResponses(encodeResponses([await sentResponse(1, response, outlines)], said), heard) ?? []
    if (back === undefined) throw new Error("It is not to be read.")
    return sentOfCarried(back, isKeyed)
  }
}

const returned = async (response: CarriedResponse, isKeyed = true): Promise<Response> => {
  const sent = await ends()(response, isKeyed)
  if (sent._tag !== "Answered") throw new Error(sent._tag)
  return sent.response
}

const shown = async (response: Response) => ({
  status: response.status,
  headers: [...response.headers],
  body: new Uint8Array(await response.arrayBuffer())
})

const value = fc.stringMatching(/^[!-~]{1,9}$/)
const headers = fc.dictionary(
  fc.constantFrom("content-type", "x-request-id", "x-ratelimit-remaining", "emporion-position", "retry-after", "vary"),
  value
)
const whole = fc.record({
  status: fc.constantFrom(200, 201, 400, 401, 404, 409, 422, 429, 500, 503),
  headers,
  body: fc.oneof(fc.string({ unit: "grapheme" }), fc.constant("\uFEFF{}"))
})

describe("The answer to a request that shares a message with others", () => {
  it("is the one that was given, in either form, whatever was answered before", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(whole, { maxLength: 5 }), async (all) => {
        const through = ends()
        for (const { body, headers, status } of all) {
          const bytes = new TextEncoder().encode(body)
          const expected = await shown(new Response(bytes, { status, headers }))
          for (const form of [
            { body, headers, status },
            { body: bytes, headers, status },
            new Response(bytes, { status, headers })
          ]) {
            const sent = await through(form)
            expect(sent._tag === "Answered" && (await shown(sent.response))).toEqual(expected)
          }
        }
      }),
      property()
    )
  })

  it("has all cookies of its own", async () => {
    const headers = [
      ["set-cookie", "a=1"],
      ["set-cookie", "b=2"]
    ] as Array<[string, string]>
    expect((await returned(new Response("{}", { headers }))).headers.getSetCookie()).toEqual(["a=1", "b=2"])
  })

  it("did nothing where the node does not write", async () => {
    expect(await ends()(elsewhere())).toEqual({ _tag: "Unsent" })
  })

  it("ends the caller's connection, and not that of the nodes", async () => {
    const closing = { connection: "close", date: "today" }
    for (const form of [
      answered(new Response("{}", { headers: closing })),
      new Response("{}", { headers: closing }),
      { status: 200, headers: closing, body: "{}" }
    ]) {
      const { headers } = await returned(form)
      expect([headers.get("connection"), headers.has("date"), headers.has("x-emporion-last")]).toEqual([
        "close",
        false,
        false
      ])
    }
    expect(
      (await returned({ status: 200, headers: { connection: "keep-alive" }, body: "" })).headers.has("connection")
    ).toBe(false)
  })

  it("is the caller's repetition only under the caller's key", async () => {
    const replay = { status: 200, headers: { "idempotency-replayed": "true" }, body: "{}" }
    const isShown = async (isKeyed: boolean) => (await returned(replay, isKeyed)).headers.has("idempotency-replayed")
    expect([await isShown(true), await isShown(false)]).toEqual([false, true])
  })

  it("has no header that a line break in another one's value makes", () => {
    const response = { status: 200, headers: { link: "a\nset-cookie:b=1" }, body: "" }
    expect(() => sentResponse(1, response, new ResponseOutlines())).toThrow(TypeError)
  })
})
