import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import type { PriceUpdate } from "../../../packages/client/src/Contract.ts"
import { PriceProgress } from "../../../packages/client/src/PriceProgress.ts"
import { property } from "../../lib/Property.ts"

const ASSETS = ["XAU", "XAG", "EUR/USD"]

/** Which assets have a price at each moment, after another. */
const moments = fc.array(fc.uniqueArray(fc.constantFrom(...ASSETS), { minLength: 1 }), { minLength: 1, maxLength: 20 })

/** How many frames of each connection come, and the one of them that does not. */
const connections = fc.array(fc.record({ length: fc.nat(20), lost: fc.nat(20) }), { maxLength: 8 })

const WHOLE = { length: Infinity, lost: Infinity }

const framesOf = (told: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<PriceUpdate> => {
  const last = new Map<string, number>()
  return told.flatMap((assets, moment) =>
    assets.toSorted().map((asset) => {
      const prev = last.get(asset) ?? null
      last.set(asset, moment + 1)
      return {
        type: "price_update",
        data: { asset_type: "fx", asset, price: 1, source: "test" },
        timestamp: "",
        price_seq: moment + 1,
        price_prev: prev
      } satisfies PriceUpdate
    })
  )
}

const nameOf = ({ data, price_seq: seq }: PriceUpdate): string => `${data.asset} ${seq}`

describe("PriceProgress", () => {
  it("takes every price once, whatever is lost and wherever a connection ends", () => {
    fc.assert(
      fc.property(moments, connections, (all, cuts) => {
        // That an asset's newest price was lost shows with its next one.
        const frames = framesOf([...all, ASSETS])
        const progress = new PriceProgress(0)
        const told: Array<string> = []
        for (const { length, lost } of [...cuts, ...ASSETS.map(() => WHOLE), WHOLE]) {
          const after = frames.filter(({ price_seq: seq = 0 }) => seq > (progress.position ?? 0))
          for (const frame of after.slice(0, length).filter((_, index) => index !== lost)) {
            const step = progress.take(frame)
            if (step === "breach") break
            expect(step).not.toBe("missed")
            if (step === "told") told.push(nameOf(frame))
          }
        }
        // What was lost before the first price of an asset is what nobody can prove.
        const first = new Map<string, number>()
        for (const name of told) {
          const [asset = "", seq] = name.split(" ")
          if (!first.has(asset)) first.set(asset, Number(seq))
        }
        const provable = frames.filter(
          ({ data: { asset }, price_seq: seq = 0 }) => seq >= (first.get(asset) ?? Infinity)
        )
        expect(told.toSorted()).toEqual(provable.map(nameOf).toSorted())
        for (const asset of ASSETS) {
          const seqs = told.filter((name) => name.startsWith(`${asset} `)).map((name) => Number(name.split(" ")[1]))
          expect(seqs).toEqual(seqs.toSorted((one, other) => one - other))
        }
      }),
      property()
    )
  })

  it("says where prices are no longer kept", () => {
    const progress = new PriceProgress(undefined)
    const frame = (seq: number, prev: number | null) => ({
      type: "price_update" as const,
      data: { asset_type: "fx" as const, asset: "EUR/USD", price: 1, source: "test" },
      timestamp: "",
      price_seq: seq,
      price_prev: prev
    })
    expect(
      [frame(5, null), frame(9, 5), frame(9, 5), frame(20, null), frame(31, 25)].map((one) => progress.take(one))
    ).toEqual(["told", "told", "known", "missed", "breach"])
    expect(progress.position).toBe(9)
    expect([frame(20, 19), frame(25, 12)].map((one) => progress.take(one))).toEqual(["known", "told"])
  })
})
