import { describe, expect, it } from "bun:test"
import { Redacted } from "effect"
import fc from "fast-check"
import { isUtf8 } from "node:buffer"
import { AcknowledgedPosition } from "../../../engine/cluster/Position.ts"
import { RequestOutlines } from "../../../src/cluster/CarriedRequest.ts"
import { planOf } from "../../../src/cluster/ForwardingPlan.ts"
import { make as makeCredential } from "../../../src/cluster/NodeCredential.ts"
import { property } from "../../lib/Property.ts"

const parts = {
  credential: makeCredential(Redacted.make("a secret of thirty-two characters")),
  outlines: new RequestOutlines(),
  acknowledged: new AcknowledgedPosition(),
  followed: () => 1
}

const peer = { address: "127.0.0.1", port: 1 }

const planned = (body: Uint8Array<ArrayBuffer>) => {
  const headers = { host: "emporion.example", "content-type": "application/json" }
  return planOf(
    parts,
    new Request("http://emporion.example/api/arena/commitments", { method: "POST", headers }),
    peer,
    body
  )
}

describe("A request that another node is to answer", () => {
  it("shares a message where its body is text, and goes byte by byte where it is not", () => {
    const bytes = fc.oneof(
      fc.string({ minLength: 1, unit: "binary" }).map((text) => new TextEncoder().encode(text.toWellFormed())),
      fc.uint8Array({ minLength: 1, maxLength: 8 }).map((given) => Uint8Array.from(given))
    )
    fc.assert(
      fc.property(bytes, (body) => {
        const { body: sent, carried } = planned(body)
        expect(sent).toEqual(body)
        expect(carried?.body).toBe(
          isUtf8(body) ? new TextDecoder("utf-8", { ignoreBOM: true }).decode(body) : undefined
        )
      }),
      property()
    )
  })
})
