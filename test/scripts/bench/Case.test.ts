import { describe, expect, it } from "bun:test"
import { playedOf } from "../../../scripts/bench/Case.ts"

describe("playedOf", () => {
  const played = (variants: ReadonlyArray<string> | undefined) => playedOf({ variants }, ["64", "4", "64-keyed"])

  it("gives the variants that are named, in the case's order", () => {
    expect(played(["64-keyed", "64", "1000"])).toEqual(["64", "64-keyed"])
  })

  it("gives all where none of the case is named", () => {
    expect(played(undefined)).toEqual(["64", "4", "64-keyed"])
    expect(played(["1000"])).toEqual(["64", "4", "64-keyed"])
  })
})
