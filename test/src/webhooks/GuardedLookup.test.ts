import { describe, expect, it } from "bun:test"
import type { LookupAddress, LookupAllOptions } from "node:dns"
import { addressGuard } from "../../../src/webhooks/AddressGuard.ts"
import { AddressRefused, guardedLookup, literalAddress, refusedLiteral } from "../../../src/webhooks/GuardedLookup.ts"
import { resolverOf } from "../../lib/WebhookReceiver.ts"

const guard = addressGuard([])

const ALL: LookupAllOptions = { all: true }

type Looked = readonly [error: Error | null, addresses: string | ReadonlyArray<LookupAddress>]

const looked = (answers: ReadonlyArray<ReadonlyArray<string>>, options: { readonly all?: boolean } = ALL): Looked => {
  const { resolver } = resolverOf({ "hook.example": answers })
  let result: Looked = [null, ""]
  guardedLookup(resolver.resolve, guard)("hook.example", options, (error, addresses) => (result = [error, addresses]))
  return result
}

describe("GuardedLookup", () => {
  it("answers public addresses with their families, in their order", () => {
    expect(looked([["1.1.1.1", "2606:4700::1111"]])).toEqual([
      null,
      [
        { address: "1.1.1.1", family: 4 },
        { address: "2606:4700::1111", family: 6 }
      ]
    ])
    expect(looked([["2606:4700::1111", "1.1.1.1"]], {})).toEqual([null, "2606:4700::1111"])
  })

  it("refuses a name with one address that is not public", () => {
    const [error, addresses] = looked([["1.1.1.1", "10.0.0.5"]])
    expect(error).toBeInstanceOf(AddressRefused)
    expect(error?.message).toBe("the name resolves to 10.0.0.5, which is a private address")
    expect(addresses).toEqual([])
  })

  it("refuses a name without an address, and tells of one that does not resolve", () => {
    expect(looked([[]])[0]?.message).toBe("the name has no address")
    expect(looked([])[0]).toMatchObject({ code: "ENOTFOUND" })
  })

  it("knows a host that is an address in any spelling, which no look-up would see", () => {
    expect(literalAddress(new URL("https://0x7f.1/"))).toBe("127.0.0.1")
    expect(literalAddress(new URL("https://[::FFFF:10.0.0.1]:8443/"))).toBe("::ffff:a00:1")
    expect(literalAddress(new URL("https://example.com/"))).toBeUndefined()
    expect(refusedLiteral(new URL("https://2130706433/"), guard)?.message).toBe("127.0.0.1 is a loopback address")
    expect(refusedLiteral(new URL("https://1.1.1.1/"), guard)).toBeUndefined()
    expect(refusedLiteral(new URL("https://localhost/"), guard)).toBeUndefined()
  })
})
