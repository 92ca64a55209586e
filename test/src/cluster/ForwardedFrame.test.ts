import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import {
  decodeRequests,
  decodeResponses,
  encodeRequests,
  encodeResponses
} from "../../../src/cluster/ForwardedFrame.ts"
import { property } from "../../lib/Property.ts"

const headers = fc.array(fc.tuple(fc.string(), fc.string()))
const id = fc.nat()
const body = fc.string({ unit: "grapheme" })

describe("A message between nodes", () => {
  it("carries requests and responses as they are", () => {
    const peer = { address: fc.string(), port: fc.nat() }
    const request = fc.record({ id, method: fc.string(), path: fc.string(), ...peer, headers, body })
    const response = fc.record({ id, status: fc.integer({ min: 200, max: 599 }), headers, body })
    fc.assert(
      fc.property(fc.array(request), fc.array(response), (requests, responses) => {
        expect(decodeRequests(encodeRequests(requests))).toEqual(requests)
        expect(decodeResponses(encodeResponses(responses))).toEqual(responses)
      }),
      property()
    )
  })

  it("of another form is none", () => {
    for (const text of ["", "{}", "[1]", "[null]", '[{"id":1}]', '[{"id":1,"status":99,"headers":[],"body":""}]']) {
      expect([decodeRequests(text), decodeResponses(text)]).toEqual([undefined, undefined])
    }
    const request = { id: 1, method: "POST", path: "/", address: "", port: 1, headers: [["a", "b"]], body: "" }
    const response = { id: 1, status: 200, headers: [["a", "b"]], body: "" }
    const wrong = fc.constantFrom(null, true, 1.5, {}, [1], [["a"]], [["a", 1]], [["a", "b", "c"]])
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(request)), wrong, (name, value) => {
        expect(decodeRequests(JSON.stringify([request, { ...request, [name]: value }]))).toBeUndefined()
      }),
      property()
    )
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(response)), wrong, (name, value) => {
        expect(decodeResponses(JSON.stringify([response, { ...response, [name]: value }]))).toBeUndefined()
      }),
      property()
    )
  })
})
