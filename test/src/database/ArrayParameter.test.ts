import { PgTypes } from "@effect/sql-pg"
import { describe, expect, it } from "bun:test"
import { bigints, byteStrings, numerics, texts } from "../../../src/database/ArrayParameter.ts"

const MOST = 2n ** 63n - 1n

describe("An array parameter", () => {
  it("names its type, also where it is empty", () => {
    const oids = [texts([]), bigints([]), byteStrings([]), texts(["a"]), bigints([1n])].map(({ oid }) => oid)
    const [text, int8, bytea] = [PgTypes.OID.text, PgTypes.OID.int8, PgTypes.OID.bytea].map((oid) =>
      PgTypes.arrayOidFor(oid)
    )
    expect(oids).toEqual([text, int8, bytea, text, int8].map(Number))
  })

  it("of amounts is of integers as far as they reach", () => {
    expect(numerics([0n, MOST, -MOST])).toEqual(bigints([0n, MOST, -MOST]))
    expect(numerics([1n, MOST + 1n])).toEqual(texts(["1", `${MOST + 1n}`]))
    expect(numerics([1n, -MOST - 1n])).toEqual(texts(["1", `${-MOST - 1n}`]))
  })
})
