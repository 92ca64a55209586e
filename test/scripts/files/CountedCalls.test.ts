import { describe, expect, it } from "bun:test"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { parseSync } from "oxc-parser"
import { COUNT, countedCalls } from "../../../scripts/files/CountedCalls.ts"

const ROOT = join(import.meta.dir, "..", "..", "..")

const entered = (text: string): { readonly value: unknown; readonly count: number } => {
  let count = 0
  const run = new Function("globalThis", new Bun.Transpiler({ loader: "ts" }).transformSync(countedCalls("a.ts", text)))
  return { value: run({ [COUNT]: () => (count += 1) }), count }
}

describe("counted calls", () => {
  it("count each function that is entered, and change nothing of what it gives", () => {
    expect(
      entered(`
        class Box { #n: number; constructor(n: number) { this.#n = n } get twice() { return this.#n * 2 } }
        const object = (n: number) => ({ n })
        const nested = (n: number) => (m: number) => n + m
        function* three() { yield* [1, 2, 3] }
        const unused = () => 0
        return [new Box(2).twice, object(1).n, nested(1)(2), [...three()]]`)
    ).toEqual({ value: [4, 1, 3, [1, 2, 3]], count: 6 })
  })

  it("leave every module of the program one that parses", () => {
    const paths = ["src", "engine"].flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
        .filter((path) => path.endsWith(".ts"))
        .map((path) => join(folder, path))
    )
    for (const path of paths) {
      const { errors } = parseSync(path, countedCalls(path, readFileSync(join(ROOT, path), "utf8")))
      expect([path, errors.length]).toEqual([path, 0])
    }
  })
})
