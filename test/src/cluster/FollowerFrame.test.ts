import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { GENESIS } from "../../../engine/actor/EventChain.ts"
import { appendedRows } from "../../../engine/journal/JournalRow.ts"
import { fromUnits } from "../../../engine/money/Amount.ts"
import { decodeFrame, encodeNews, encodeRow, type News } from "../../../src/cluster/FollowerFrame.ts"
import { link } from "../../../src/database/ChainLink.ts"
import { property } from "../../lib/Property.ts"

const END = { seq: 7, hash: GENESIS, recordedAt: 5 }

const entry = (data: string) => ({ stream: "s/1", data, key: "k", claims: ["a"], commands: [] })

describe("What the node that writes tells", () => {
  it("reads as it was written", () => {
    const entries = [entry(`{"text":"ü\\n"}`), entry(`{"n":1}`)]
    const [row] = appendedRows(END, { entries, answers: [], term: 2n ** 62n, now: 9 }, link)
    if (row === undefined) throw new Error("there is no row")
    const { answers: _, ...followed } = row
    const read = decodeFrame(encodeRow(row))
    expect(read).toEqual({
      _tag: "Row",
      row: { ...followed, hash: Buffer.from(row.hash), answersDigest: Buffer.from(row.answersDigest) }
    })
    const all: ReadonlyArray<News> = [
      { _tag: "Head", seq: 12 },
      { _tag: "Price", asset: "XAU", price: fromUnits(4_000_000_001n), source: `a "source"`, at: 3 },
      { _tag: "Changed", userId: null },
      { _tag: "Changed", userId: "usr_1" }
    ]
    for (const news of all) expect(decodeFrame(encodeNews(news))).toEqual(news)
  })

  it("is no row where a part of its place is of another kind", () => {
    const place = [1, 1, "1", 1, "", ""]
    expect(decodeFrame(`R${JSON.stringify(place)}\nbody`)).toMatchObject({ _tag: "Row", row: { body: "body" } })
    const wrong = fc.constantFrom<unknown>(null, true, 1.5, "x", "-1", "1".repeat(20), {}, [])
    fc.assert(
      fc.property(fc.nat(3), wrong, (index, value) => {
        expect(decodeFrame(`R${JSON.stringify(place.with(index, value as string))}\nbody`)).toBeUndefined()
      }),
      property()
    )
    expect(decodeFrame(`R${JSON.stringify([...place, 1])}\nbody`)).toBeUndefined()
    expect(decodeFrame(`R${JSON.stringify(place.with(4, 1))}\nbody`)).toBeUndefined()
  })

  it("is nothing where another release says it, or nobody", () => {
    for (const text of ["", "{}", `{"_tag":"Later"}`, "R", "R[1]\nbody", `R[1,1,"x",1,"",""]\nbody`]) {
      expect(decodeFrame(text)).toBeUndefined()
    }
  })
})
