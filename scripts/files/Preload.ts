import { readFileSync, renameSync, writeFileSync } from "node:fs"
import { join, relative } from "node:path"
import { COUNT, countedCalls } from "./CountedCalls.ts"

/** Where the counts go at each SIGUSR2, which also begins anew. */
const { FILES_PASSED = "" } = process.env
const ROOT = join(import.meta.dir, "..", "..")

const counts = new Map<string, number>()

Object.assign(globalThis, { [COUNT]: (path: string) => counts.set(path, (counts.get(path) ?? 0) + 1) })

Bun.plugin({
  name: "counted calls",
  setup: (build) => {
    build.onLoad({ filter: /\/(?:src|engine)\/.*\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, "utf8")
      const own = relative(ROOT, path)
      const isOwn = /^(?:src|engine)\//.test(own)
      return { contents: isOwn ? countedCalls(own, text) : text, loader: "ts" }
    })
  }
})

process.on("SIGUSR2", () => {
  writeFileSync(`${FILES_PASSED}.new`, JSON.stringify([...counts]))
  renameSync(`${FILES_PASSED}.new`, FILES_PASSED)
  counts.clear()
})
