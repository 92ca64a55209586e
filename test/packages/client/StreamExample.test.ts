import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { bundled, examplesOf } from "../../lib/ClientPackage.ts"
import { itLive } from "../../lib/Effects.ts"
import { openedArena } from "../../lib/OpenedArena.ts"
import { requireRuntime, RUNTIMES } from "../../lib/Runtimes.ts"
import { eventually } from "../../lib/ServerProcess.ts"
import { temporaryFolder } from "../../lib/TemporaryFolder.ts"
import { textOf } from "../../tidy/Source.ts"

const PAGES = ["docs/reference/stream.md", "packages/client/README.md"]
const LIMIT = 20_000

/** The page's example for a server, as one file for any runtime or page. */
const example = Effect.fnUntraced(function* (page: string, url: string) {
  const code = examplesOf(textOf(page) ?? "").find((each) => each.includes("ArenaStreamClient")) ?? ""
  const file = join(yield* temporaryFolder, "example.mjs")
  writeFileSync(file, yield* bundled(code.replace("http://127.0.0.1:3000", url)))
  return file
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

describe.each(PAGES)("The consumer of %s", (page) => {
  itLive("tells of orders and commitments, on Bun, Deno and Node", () =>
    Effect.gen(function* () {
      const { server, commit } = yield* openedArena()
      const file = yield* example(page, server.url)
      for (const runtime of RUNTIMES) requireRuntime(runtime)
      const outputs = yield* Effect.all([
        said([process.execPath, file]),
        ...RUNTIMES.map(({ command, name }) => said([...command, ...(name === "Deno" ? ["--allow-net"] : []), file]))
      ])
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
