import { describe, expect, it } from "bun:test"
import { extensionCall, shown, thrownText } from "../../../engine/simulation/ExtensionCall.ts"

describe("A call of an extension", () => {
  it("answers what the function does, inside the guard", () => {
    const around: Array<string> = []
    const call = extensionCall((run) => {
      around.push("before")
      const answer = run()
      around.push("after")
      return answer
    })
    const failed: Array<string> = []
    expect(call(() => around.push("run"), failed.push)).toBe(2)
    expect([around, failed]).toEqual([["before", "run", "after"], []])
  })

  it("tells what was thrown, and answers nothing", () => {
    const failed: Array<string> = []
    const call = extensionCall((run) => run())
    const thrown = call(
      () => {
        throw new TypeError("no such thing")
      },
      (what) => void failed.push(what)
    )
    expect(thrown).toBeUndefined()
    expect(failed.length).toBe(1)
    expect(failed[0]).toContain("no such thing")
    expect(thrownText("alone")).toBe("alone")
  })

  it("shows any value in a few words", () => {
    const circle: { self?: unknown } = {}
    circle.self = circle
    const values = [undefined, 1, "a", { b: 2 }, 3n, () => 1, Symbol("s"), Promise.resolve(), circle]
    expect(values.map(shown)).toEqual([
      "undefined",
      "1",
      '"a"',
      '{"b":2}',
      "3n",
      "a function",
      "a symbol",
      "a promise",
      "an object"
    ])
  })
})
