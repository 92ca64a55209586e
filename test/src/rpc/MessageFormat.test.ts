import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { FORMATS } from "../../../src/rpc/MessageFormat.ts"
import { property } from "../../lib/Property.ts"

const anyMessage = fc.dictionary(
  fc.string().filter((key) => key !== "__proto__"),
  fc.jsonValue({ noUnicodeString: false })
)

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

    it(`${format.name} throws for what it cannot read`, () => {
      for (const bytes of [[0xc1], [0x93, 1], [0xff, 0xfe, 0x22], []]) {
        const frame = new Uint8Array(bytes)
        if (format.name === "msgpack" && bytes[0] === 0xff) continue
        expect(() => format.read(frame)).toThrow()
      }
    })
  }
})
