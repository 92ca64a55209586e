import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { FORMATS } from "../../../src/rpc/MessageFormat.ts"
import { property } from "../../lib/Property.ts"

/** MessagePack refuses this name of a field wherever it stands. */
const PROTO = "__proto__"

const anyMessage = fc
  .dictionary(fc.string(), fc.jsonValue({ noUnicodeString: false }))
  .filter((message) => !JSON.stringify(message).includes(PROTO))

describe("MessageFormat", () => {
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
