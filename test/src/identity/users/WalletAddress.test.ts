import { describe, expect, it } from "bun:test"
import { Result } from "effect"
import fc from "fast-check"
import * as WalletAddress from "../../../../src/identity/users/WalletAddress.ts"
import { property } from "../../../lib/Property.ts"

/** The examples of EIP-55. */
const EXAMPLES = [
  "0x52908400098527886E0F7030069857D2E4169EE7",
  "0x8617E340B3D01FA5F11F306F4090FD50E238070D",
  "0xde709f2102306220921060314715629080e2fb77",
  "0x27b1fdb04752bbc536007a920d24acb045561c26",
  "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
  "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
  "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB",
  "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb"
]

const read = (text: string): string | undefined => Result.getOrUndefined(WalletAddress.parse(text))

describe("WalletAddress", () => {
  it("takes the examples of EIP-55, and gives them for one case throughout", () => {
    for (const example of EXAMPLES) {
      expect(read(example)).toBe(example)
      expect(read(example.toLowerCase())).toBe(example)
      expect(read(`0x${example.slice(2).toUpperCase()}`)).toBe(example)
    }
  })

  it("refuses mixed case with one letter changed", () => {
    const position = fc.integer({ min: 2, max: 41 })
    fc.assert(
      fc.property(fc.constantFrom(...EXAMPLES.slice(4)), position, (example, at) => {
        const letter = example.charAt(at)
        fc.pre(/[a-f]/i.test(letter))
        const flipped = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()
        expect(read(example.slice(0, at) + flipped + example.slice(at + 1))).toBeUndefined()
      }),
      property()
    )
  })

  it("refuses what is not 0x and 40 hexadecimal digits", () => {
    const [example = ""] = EXAMPLES
    for (const text of [
      "",
      "0x",
      example.slice(0, -1),
      `${example}0`,
      example.slice(2),
      `0x${"g".repeat(40)}`,
      ` ${example}`
    ]) {
      expect(read(text)).toBeUndefined()
    }
  })
})
