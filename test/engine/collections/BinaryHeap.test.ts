import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { BinaryHeap } from "../../../engine/collections/BinaryHeap.ts"
import { property } from "../../lib/Property.ts"

describe("BinaryHeap", () => {
  it("gives what a sorted list gives, whatever was put in and taken out before", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.integer(), fc.constant(undefined))), (acts) => {
        const heap = new BinaryHeap<number>((one, other) => one < other)
        let list: ReadonlyArray<number> = []
        for (const act of acts) {
          expect(heap.first).toBe(list[0] as number)
          if (act === undefined) {
            expect(heap.pop()).toBe(list[0] as number)
            list = list.slice(1)
          } else {
            heap.push(act)
            list = [...list, act].toSorted((one, other) => one - other)
          }
        }
        for (const next of list) expect(heap.pop()).toBe(next)
        expect(heap.pop()).toBeUndefined()
      }),
      property()
    )
  })
})
