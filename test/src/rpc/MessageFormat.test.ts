import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { FORMATS } from "../../../src/rpc/MessageFormat.ts"
import { property } from "../../lib/Property.ts"

/** MessagePack refuses this name of a field wherever it stands. */
const PROTO = "__proto__"

const anyMessage = fc
  .dictionary(fc.string(), fc.jsonValue({ noUnicodeString: false }))
  .filter((message) => !JSON.stringify(message).includes(PROTO))

/** Whatever MessagePack has besides text, in each of its lengths, round a place for another value. */
const placed = (value: unknown): fc.Arbitrary<unknown> => {
  const numbers = fc.oneof(fc.maxSafeInteger(), fc.integer({ min: -40, max: 300 }), fc.double())
  const bytes = fc.oneof(fc.uint8Array(), fc.uint8Array({ minLength: 256, maxLength: 300 }))
  const other = fc.oneof(numbers, bytes, fc.date({ noInvalidDate: true }), fc.boolean(), fc.string({ unit: "binary" }))
  const many = fc.oneof(
    { withCrossShrink: true },
    fc.array(other, { maxLength: 3 }),
    fc.array(other, { minLength: 16, maxLength: 20 })
  )
  const list = (inner: unknown) => fc.tuple(many, many).map(([before, behind]) => [...before, inner, ...behind])
  // Left out as it is written: the name that is refused wherever it stands.
  const map = (inner: unknown) =>
    fc.dictionary(fc.string(), other, { maxKeys: 20 }).map((fields) => ({ ...fields, inner, [PROTO]: undefined }))
  return fc.oneof(list(value), map(value)).chain((outer) => fc.oneof(fc.constant(outer), list(outer), map(outer)))
}

/** Stands where a text is. */
const MARK = "a mark"

/** A text of so many bytes. */
const marked = (length: number): string => MARK + "x".repeat(length)

describe("MessageFormat", () => {
  it("reads no MessagePack whose text or name of a field is not UTF-8, wherever it stands", () => {
    const { read, write } = FORMATS.msgpack
    const lengths = fc.constantFrom(0, 20, 40, 250, 300, 66_000)
    const frames = lengths.chain((length) =>
      fc.oneof(placed(marked(length)), placed({ [marked(length)]: 1 })).map((message) => Buffer.from(write(message)))
    )
    const broken = fc.constantFrom([0xff], [0xed, 0xa0, 0x80], [0xc1, 0x81], [0xc3, 0x28], [0xe2, 0x82])
    fc.assert(
      fc.property(frames, broken, (frame, bytes) => {
        read(frame)
        const at = frame.indexOf(MARK)
        frame.set(bytes, at)
        expect(() => read(frame)).toThrow("no UTF-8")
      }),
      property()
    )
  })

  it("throws at once for a MessagePack frame that is shorter than it says, however long it says to be", () => {
    const sizes = [
      [1, 0xc4, 0xc7, 0xd9],
      [2, 0xc5, 0xc8, 0xda, 0xdc, 0xde],
      [4, 0xc6, 0xc9, 0xdb, 0xdd, 0xdf]
    ] as const
    const announced = fc
      .constantFrom(...sizes.flatMap(([bytes, ...heads]) => heads.map((head) => ({ bytes, head }))))
      .chain(({ bytes, head }) =>
        fc
          .tuple(fc.uint8Array({ minLength: bytes, maxLength: bytes, min: 0x64 }), fc.uint8Array({ maxLength: 20 }))
          .map(([length, behind]) => Uint8Array.from([head, ...length, ...behind]))
      )
    fc.assert(
      fc.property(announced, (frame) => expect(() => FORMATS.msgpack.read(frame)).toThrow()),
      { ...property(), examples: [[Uint8Array.from([0xdb, 0xff, 0xff, 0xff, 0xff])]] }
    )
  })

  for (const format of Object.values(FORMATS)) {
    it(`${format.name} reads what it writes, one message or several a frame`, () => {
      fc.assert(
        fc.property(anyMessage, fc.array(anyMessage), (one, several) => {
          const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
          expect(plain(format.read(format.write(one)))).toEqual([plain(one)])
          expect(plain(format.read(format.write(several)))).toEqual(plain(several))
        }),
        property()
      )
    })

    it(`${format.name} takes no message that names a prototype for one`, () => {
      const frame = format.write([JSON.parse(`{"":{"${PROTO}":{"polluted":true}}}`)])
      try {
        format.read(frame)
      } catch (error) {
        expect(error).toBeInstanceOf(Error)
      }
      expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false)
      expect("polluted" in {}).toBe(false)
    })

    it(`${format.name} throws for what it cannot read`, () => {
      for (const bytes of [[0xc1], [0x93, 1], [0xff, 0xfe, 0x22], []]) {
        const frame = new Uint8Array(bytes)
        if (format.name === "msgpack" && bytes[0] === 0xff) continue
        expect(() => format.read(frame)).toThrow()
      }
    })
  }
})
