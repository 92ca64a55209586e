import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { join } from "node:path"
import { brotliCompressSync } from "node:zlib"
import { readPages, writePages } from "../../../src/runtime/PageFolder.ts"
import { itLive } from "../../lib/Effects.ts"
import { temporaryFolder } from "../../lib/TemporaryFolder.ts"

const fileOf = (text: string) => ({ text, packed: new Uint8Array(brotliCompressSync(text)) })

describe("PageFolder", () => {
  itLive("gives back what was kept last, and nothing of what was before", () =>
    Effect.gen(function* () {
      const folder = join(yield* temporaryFolder, "pages")
      writePages(folder, { entry: "Old-1.js", workers: [], files: new Map([["Old-1.js", fileOf("old")]]) })
      const pages = {
        entry: "Main-1.js",
        workers: ["Worker-1.js"],
        files: new Map([
          ["Main-1.js", fileOf("a")],
          ["Main-1.css", fileOf("b")]
        ])
      }
      writePages(folder, pages)
      expect(readPages(folder)).toEqual(pages)
    })
  )

  itLive("throws where nothing was bundled", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      expect(() => readPages(folder)).toThrow("pages.json")
    })
  )
})
