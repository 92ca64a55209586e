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
    const request = fc.record({ id, method: fc.string(), path: fc.string(), headers, body })
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
    for (const text of ["", "{}", "[1]", '[{"id":1}]', '[{"id":1,"status":99,"headers":[],"body":""}]']) {
      expect([decodeRequests(text), decodeResponses(text)]).toEqual([undefined, undefined])
    }
  })
})
