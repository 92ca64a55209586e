import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { hasKey, isSealed, sealedIn, sealedParts, withOpened } from "../../../engine/erasure/SealedText.ts"
import { property } from "../../lib/Property.ts"

const OF = `cmp_${"a".repeat(24)}`

/** A box that is its text, for tests of what is done with boxes. */
const sealed = (text: string): string => `sealed:v1:${OF}:${Buffer.from(`.${text}`).toString("base64url")}`

const opened = (value: unknown): ReadonlyMap<string, string> =>
  new Map(
    Array.from(sealedIn(value), (text) => [
      text,
      Buffer.from(sealedParts(text)?.box ?? "", "base64url")
        .toString()
        .slice(1)
    ])
  )

const key = fc.string({ minLength: 1 }).filter((text) => text !== "__proto__")
const metadata = fc.dictionary(key, fc.string({ minLength: 1 }), { maxKeys: 5, noNullPrototype: true })

/** An answer with metadata, texts and an amount, and the same with all that is typed in it sealed. */
const answers = fc.record({ metadata, texts: fc.array(fc.string({ minLength: 1 })), amount: fc.bigInt() })

const sealedAnswer = ({
  amount,
  metadata: pairs,
  texts
}: {
  readonly amount: bigint
  readonly metadata: Readonly<Record<string, string>>
  readonly texts: ReadonlyArray<string>
}) => ({
  metadata: Object.fromEntries(Object.entries(pairs).map(([name, text]) => [sealed(name), sealed(text)])),
  texts: texts.map(sealed),
  amount
})

describe("Sealed texts", () => {
  it("are told from others, and so are those who have a key", () => {
    expect(sealedParts(sealed("x"))).toMatchObject({ of: OF })
    expect(["sealed:v1:", "sealed:v1:cmp_a:AA", `x${sealed("x")}`, ""].filter(isSealed)).toEqual([])
    expect([OF, `usr_${"1".repeat(24)}`, "platform", "usr_1"].map(hasKey)).toEqual([true, true, false, false])
  })

  it("of an answer are opened wherever they stand, as keys too", () =>
    fc.assert(
      fc.property(answers, (answer) => {
        const value = sealedAnswer(answer)
        expect(withOpened(value, opened(value), null)).toEqual(answer)
        expect(sealedIn(answer).size).toBe(0)
      }),
      property()
    ))

  it("that nobody reads leave a word, and no pair of metadata", () =>
    fc.assert(
      fc.property(answers, (answer) => {
        const { amount, texts } = answer
        const shown = withOpened(sealedAnswer(answer), new Map(), "erased")
        expect(shown).toEqual({ metadata: {}, texts: texts.map(() => "erased"), amount })
      }),
      property()
    ))

  it("of what is no plain object stay where they are", () => {
    class Whole {
      readonly text = sealed("x")
    }
    const whole = new Whole()
    expect(sealedIn([whole]).size).toBe(0)
    expect(withOpened([whole], new Map(), null)).toEqual([whole])
  })
})
