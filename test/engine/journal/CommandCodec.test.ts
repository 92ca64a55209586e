import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { decodeCommands, encodeCommands } from "../../../engine/journal/CommandCodec.ts"
import { anyCommand } from "../../lib/LedgerCommands.ts"
import { runs } from "../../lib/Property.ts"

describe("encodeCommands", () => {
  it("gives the commands back, in one line without a tab", () => {
    fc.assert(
      fc.property(fc.array(anyCommand, { maxLength: 8 }), (commands) => {
        const text = encodeCommands(commands)
        expect(text).not.toMatch(/[\t\n]/)
        expect(decodeCommands(text)).toEqual(commands)
      }),
      { numRuns: runs() }
    )
  })

  it("is not fooled by a command that nobody knows", () => {
    for (const text of ['[["z","a"]]', '[["t","a"]]', "{}", "["]) expect(() => decodeCommands(text)).toThrow()
  })
})
