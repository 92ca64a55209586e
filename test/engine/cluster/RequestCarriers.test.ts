import { describe, expect, it } from "bun:test"
import { RequestCarriers } from "../../../engine/cluster/RequestCarriers.ts"

describe("The connections of other nodes", () => {
  it("take each number once, in order, while they are open", () => {
    const carriers = new RequestCarriers()
    expect(carriers.takes("a.1", 1)).toBe(false)
    const opened = ["a.1", "a.1", "b.1", "no name"].map((name) => carriers.open(name, () => {}))
    expect(opened).toEqual([true, false, true, false])
    expect([1, 1, 3, 2, 4].map((number) => carriers.takes("a.1", number))).toEqual([true, false, true, false, true])
    expect(carriers.takes("b.1", 1)).toBe(true)
    carriers.closed("a.1")
    expect([carriers.takes("a.1", 5), carriers.takes("b.1", 2)]).toEqual([false, true])
  })

  it("take nothing more, and are closed, once their node has opened another", () => {
    const carriers = new RequestCarriers()
    const closed: Array<string> = []
    const open = (name: string) => carriers.open(name, () => void closed.push(name))
    expect(["a.2", "b.1", "a.3", "a.2", "a.1"].map(open)).toEqual([true, true, true, false, false])
    expect(["a.2", "b.1", "a.3"].map((name) => carriers.takes(name, 1))).toEqual([false, true, true])
    expect(closed).toEqual(["a.2"])
    carriers.closed("a.2")
    expect(carriers.takes("a.3", 2)).toBe(true)
    carriers.closed("b.1")
    expect(["a.2", "a.3", "b.1"].map((name) => carriers.isOpen(name))).toEqual([false, true, false])
  })
})
