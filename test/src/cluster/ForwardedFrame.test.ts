import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import {
  decodeRequests,
  decodeResponses,
  encodeRequests,
  encodeResponses
} from "../../../src/cluster/ForwardedFrame.ts"
import { fieldsOf, HeardOutlines, SaidOutlines } from "../../../src/cluster/Outlines.ts"
import { property } from "../../lib/Property.ts"

const keeping = () =>
  new HeardOutlines((text) => ({ text, open: fieldsOf(text).filter(([, own]) => own === undefined).length }))

const OUTLINES = ["", "host\n", "host:a\nx-a\nx-b\n", `x-c:${"c".repeat(3_000)}\n`] as const
const outlined = fc.constantFrom(...OUTLINES).chain((outline) => {
  const { open } = keeping().named(outline) ?? keeping().named([outline]) ?? { open: 0 }
  return fc.record({
    outline: fc.constant(outline),
    values: fc.array(fc.string(), { minLength: open, maxLength: open })
  })
})
const own = { id: fc.nat(), body: fc.string({ unit: "grapheme" }) }
const known = fc.oneof(fc.constant({}), fc.record({ behind: fc.nat() }), fc.record({ name: fc.string() }))
const request = fc
  .tuple(fc.record({ ...own, path: fc.string(), address: fc.string(), port: fc.nat() }), outlined, known)
  .map(([one, headers, name]) => ({ ...one, ...headers, ...name }))
const response = fc
  .tuple(fc.record({ ...own, status: fc.integer({ min: 200, max: 599 }) }), outlined)
  .map(([one, headers]) => ({ ...one, ...headers }))

/** As it was sent. */
const again = <Item extends { readonly outline: { readonly text: string } }>(items: ReadonlyArray<Item> | undefined) =>
  items?.map(({ outline, ...rest }) => ({ ...rest, outline: outline.text }))

const REQUEST = [1, "host:a\nx-a\n", ["b"], 4, "/", "", 1, null]
const RESPONSE = [1, "host:a\nx-a\n", ["b"], 4, 200]

const text = (entries: unknown, bodies = "body"): string => `${JSON.stringify(entries)}\n${bodies}`

const readings = (given: string) => [decodeRequests(given, keeping()), decodeResponses(given, keeping())]

describe("A message between nodes", () => {
  it("carries requests and responses as they are, whatever was said before", () => {
    const [requests, responses] = [fc.array(fc.array(request)), fc.array(fc.array(response))]
    fc.assert(
      fc.property(requests, responses, (asked, answered) => {
        const [said, heard, saidBack, heardBack] = [new SaidOutlines(), keeping(), new SaidOutlines(), keeping()]
        for (const one of asked) expect(again(decodeRequests(encodeRequests(one, said), heard))).toEqual(one)
        for (const one of answered)
          expect(again(decodeResponses(encodeResponses(one, saidBack), heardBack))).toEqual(one)
      }),
      property()
    )
  })

  it("of another form is none", () => {
    expect(decodeRequests(text([REQUEST]), keeping())).toHaveLength(1)
    expect(decodeResponses(text([RESPONSE]), keeping())).toHaveLength(1)
    for (const given of [
      "",
      "[]",
      "{}\n",
      "[1]\n",
      "[null]\n",
      "[[]]\n",
      '[[1,"",[],0]]\n',
      "[\n]",
      text([], "body")
    ]) {
      expect(readings(given)).toEqual([undefined, undefined])
    }
    const wrong = fc.constantFrom(undefined, true, 1.5, -1, {}, [1], [null], ["a", "b"], "x-a\nx-b\n", 7, 99, 600)
    const isIt = (entry: ReadonlyArray<unknown>, at: number, value: unknown): boolean =>
      // These are as good as what stands there.
      (at === 0 && Number.isSafeInteger(value)) ||
      (entry === REQUEST &&
        at === 7 &&
        (value === undefined || Number.isSafeInteger(value) || typeof value === "string")) ||
      (entry === REQUEST && (at === 4 || at === 5) && typeof value === "string") ||
      (entry === REQUEST && at === 6 && Number.isSafeInteger(value))
    const place = fc.constantFrom<readonly [ReadonlyArray<unknown>, number]>(
      ...REQUEST.map((_, at) => [REQUEST, at] as const),
      ...RESPONSE.map((_, at) => [RESPONSE, at] as const)
    )
    fc.assert(
      fc.property(place, wrong, ([entry, at], value) => {
        fc.pre(!isIt(entry, at, value))
        const given = text([entry, entry.with(at, value)], "bodybody")
        expect((entry === REQUEST ? decodeRequests : decodeResponses)(given, keeping())).toBeUndefined()
      }),
      property()
    )
  })

  it("is none with a text that is cut off, goes on, or is altered so that it names what nobody said", () => {
    const whole = encodeRequests(
      [{ id: 1, outline: "host:a\n", values: [], body: "{}", path: "/", address: "", port: 1 }],
      new SaidOutlines()
    )
    for (let end = 0; end < whole.length; end += 1)
      expect(decodeRequests(whole.slice(0, end), keeping())).toBeUndefined()
    expect(decodeRequests(`${whole} `, keeping())).toBeUndefined()
    expect(decodeRequests(text([REQUEST.with(1, 1)]), keeping())).toBeUndefined()
    fc.assert(
      fc.property(fc.string(), fc.string(), (line, rest) => {
        expect(decodeRequests(`${line}\n${rest}`, keeping()) ?? []).toEqual([])
      }),
      property()
    )
  })
})
