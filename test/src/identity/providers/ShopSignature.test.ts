import { describe, expect, it } from "bun:test"
import { createHmac } from "node:crypto"
import { sign, verify } from "../../../../src/identity/providers/ShopSignature.ts"

const SECRET = "hush"
const NOW = 1_337_178_173_000

type Pairs = ReadonlyArray<readonly [string, string]>

const PARAMETERS: Pairs = [
  ["code", "0907a61c0c8d55e99db179b68161bc00"],
  ["shop", "some-shop.myshopify.com"],
  ["state", "0.6784241404160823"],
  ["timestamp", "1337178173"]
]

const withSignature = (parameters: Pairs): Pairs => [...parameters, ["hmac", sign(parameters, SECRET)]]

describe("A shop's signature", () => {
  it("is the HMAC of the parameters by name, as the platform publishes it", () => {
    const message =
      "code=0907a61c0c8d55e99db179b68161bc00&shop=some-shop.myshopify.com&state=0.6784241404160823&timestamp=1337178173"
    expect(sign(PARAMETERS, SECRET)).toBe(createHmac("sha256", SECRET).update(message).digest("hex"))
  })

  it("does not depend on the order, and does on everything else", () => {
    const good = withSignature(PARAMETERS)
    expect(verify(good, SECRET, NOW)).toBe(true)
    expect(verify(good.toReversed(), SECRET, NOW)).toBe(true)
    expect(verify(good, "other", NOW)).toBe(false)
    expect(verify(PARAMETERS, SECRET, NOW)).toBe(false)
    expect(verify([...good, ["extra", "1"]], SECRET, NOW)).toBe(false)
    for (const [changed] of PARAMETERS) {
      const other = good.map(([name, value]): readonly [string, string] => [
        name,
        name === changed ? `${value}1` : value
      ])
      expect(verify(other, SECRET, NOW)).toBe(false)
      expect(
        verify(
          good.filter(([name]) => name !== changed),
          SECRET,
          NOW
        )
      ).toBe(false)
    }
  })

  it("does not let a value pass for another parameter", () => {
    const joined: Pairs = [["code", "1&shop=evil.myshopify.com"]]
    const apart: Pairs = [
      ["code", "1"],
      ["shop", "evil.myshopify.com"]
    ]
    expect(sign(joined, SECRET)).not.toBe(sign(apart, SECRET))
  })

  it("is refused when a parameter or the signature is named twice", () => {
    const good = withSignature(PARAMETERS)
    expect(verify([...good, ["shop", "some-shop.myshopify.com"]], SECRET, NOW)).toBe(false)
    expect(verify([...good, ["hmac", "0".repeat(64)]], SECRET, NOW)).toBe(false)
    expect(verify([["hmac", "0".repeat(64)], ...good], SECRET, NOW)).toBe(false)
  })

  it("is good for five minutes around its time", () => {
    const good = withSignature(PARAMETERS)
    expect(verify(good, SECRET, NOW + 300_000)).toBe(true)
    expect(verify(good, SECRET, NOW + 301_000)).toBe(false)
    expect(verify(good, SECRET, NOW - 301_000)).toBe(false)
    const odd = withSignature([...PARAMETERS.slice(0, 3), ["timestamp", "now"]])
    expect(verify(odd, SECRET, NOW)).toBe(false)
  })
})
