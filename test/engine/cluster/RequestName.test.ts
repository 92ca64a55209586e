import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import {
  connectionName,
  connectionOf,
  firstSentOf,
  isRequestName,
  requestName
} from "../../../engine/cluster/RequestName.ts"
import { property } from "../../lib/Property.ts"

const connection = fc
  .record({ node: fc.stringMatching(/^[0-9A-Za-z-]{1,48}$/), count: fc.integer({ min: 1, max: 2 ** 30 }) })
  .map(({ count, node }) => connectionName(node, count))

const first = fc.record({
  connection,
  number: fc.integer({ min: 1, max: 2 ** 40 }),
  behind: fc.nat()
})

describe("The name of a request", () => {
  it("says where it was first sent, and is no other request's", () => {
    fc.assert(
      fc.property(first, first, (one, other) => {
        const name = requestName(one)
        const { count, node } = connectionOf(one.connection) ?? { count: 0, node: "" }
        expect([firstSentOf(name), isRequestName(name), connectionName(node, count)]).toEqual([
          one,
          true,
          one.connection
        ])
        const isSame = one.connection === other.connection && one.number === other.number && one.behind === other.behind
        expect(requestName(other) === name).toBe(isSame)
      }),
      property()
    )
  })

  it("is no caller's key as it is kept, and nothing else is a name", () => {
    expect(isRequestName("0".repeat(64))).toBe(false)
    for (const text of [
      "",
      "@",
      "@1/a/0",
      "@01/a/1",
      "@1//1",
      "@1/a/1 ",
      "@1/a b/1",
      "@99999999999999999/a/1",
      "1/a/1"
    ]) {
      expect([text, firstSentOf(text)]).toEqual([text, undefined])
    }
    for (const text of ["", "a", "a.0", "a.b", "a/b.1", `${"a".repeat(49)}.1`])
      expect([text, connectionOf(text)]).toEqual([text, undefined])
  })
})
