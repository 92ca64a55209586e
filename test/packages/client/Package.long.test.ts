import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { readdirSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { launched } from "../../lib/Chromium.ts"
import { itLive } from "../../lib/Effects.ts"
import { openedArena } from "../../lib/OpenedArena.ts"
import { requireRuntime, RUNTIMES } from "../../lib/Runtimes.ts"
import { temporaryFolder } from "../../lib/TemporaryFolder.ts"

const ROOT = join(import.meta.dir, "../../..")
const PACKAGE = join(ROOT, "packages", "client")
const TSC = join(ROOT, "node_modules", "typescript", "bin", "tsc")

/** Bytes of the packed file. */
const MOST_PACKED = 300_000

/** Runs a command to its end, and answers what it wrote. */
const run = (cwd: string, ...command: ReadonlyArray<string>) =>
  Effect.promise(async () => {
    const child = Bun.spawn([...command], { cwd, stdin: "ignore", stdout: "pipe", stderr: "pipe" })
    const [stdout, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
    expect({ command, code: await child.exited, said: stdout + stderr }).toEqual({
      command,
      code: 0,
      said: expect.any(String)
    })
    return stdout
  })

/** A folder in which nothing is but the packed package, installed. */
const installed = Effect.gen(function* () {
  const folder = yield* temporaryFolder
  const packed = yield* temporaryFolder
  yield* run(PACKAGE, "npm", "pack", "--pack-destination", packed)
  const [file = ""] = readdirSync(packed)
  const tarball = join(packed, file)
  writeFileSync(join(folder, "package.json"), `{ "private": true, "type": "module" }`)
  yield* run(folder, "npm", "install", "--offline", "--no-audit", "--no-fund", tarball)
  return { folder, bytes: statSync(tarball).size }
})

/** What a program may do with everything that is in the package. */
const PROGRAM = (url: string): string => `
import { ArenaStreamClient, type StreamItem } from "emporion-client/stream"

const firstOf = async (client: ArenaStreamClient): Promise<StreamItem | undefined> => {
  for await (const item of client) return item
  return undefined
}

const first = await firstOf(new ArenaStreamClient({ url: "${url}" }))
export const said = first?.kind === "snapshot" ? { orders: first.orders.some(({ asset_type: type }) => type === "fx") } : first
console.log(JSON.stringify(said))
`

const SAID = { orders: true }

/** A page of the folder that runs the program as it is, with the package found by an import map and no bundler. */
const page = Effect.fnUntraced(function* (folder: string) {
  const { exports } = (yield* Effect.promise(() =>
    Bun.file(join(folder, "node_modules/emporion-client/package.json")).json()
  )) as { readonly exports: Readonly<Record<string, { readonly default?: string }>> }
  const imports = Object.fromEntries(
    Object.entries(exports).flatMap(([name, { default: file }]) =>
      file === undefined ? [] : [[join("emporion-client", name), `/${join("node_modules/emporion-client", file)}`]]
    )
  )
  const html = `<!doctype html><script type="importmap">${JSON.stringify({ imports })}</script>
<script type="module">globalThis.said = import("/program.js").then(({ said }) => said)</script>`
  const site = yield* Effect.acquireRelease(
    Effect.sync(() =>
      Bun.serve({
        port: 0,
        hostname: "127.0.0.1",
        fetch: ({ url }) => {
          const { pathname } = new URL(url)
          return pathname === "/"
            ? new Response(html, { headers: { "content-type": "text/html" } })
            : new Response(Bun.file(join(folder, pathname)))
        }
      })
    ),
    (server) => Effect.promise(() => server.stop(true))
  )
  return site.url.href
})

describe("The packed package", () => {
  itLive(
    "compiles under tsc --strict in an empty folder, and runs on Bun, Deno, Node and in Chromium",
    () =>
      Effect.gen(function* () {
        const { server } = yield* openedArena()
        const { bytes, folder } = yield* installed
        expect(bytes).toBeLessThanOrEqual(MOST_PACKED)
        expect(readdirSync(join(folder, "node_modules")).filter((name) => !name.startsWith("."))).toEqual([
          "emporion-client"
        ])
        writeFileSync(join(folder, "program.ts"), PROGRAM(server.url))
        yield* run(folder, process.execPath, TSC, "--strict", "program.ts")

        for (const runtime of RUNTIMES) requireRuntime(runtime)
        const commands = [
          [process.execPath, "program.js"],
          ...RUNTIMES.map(({ command: [program = ""], name }) => [
            program,
            ...(name === "Deno" ? ["run", "--allow-net"] : []),
            "program.js"
          ])
        ]
        const outputs = yield* Effect.forEach(commands, (command) => run(folder, ...command), { concurrency: 3 })
        for (const output of outputs) expect(JSON.parse(output)).toEqual(SAID)

        const browser = yield* launched
        const url = yield* page(folder)
        const said = yield* Effect.promise(async () => {
          const tab = await browser.newPage()
          await tab.goto(url)
          return tab.evaluate("globalThis.said")
        })
        expect(said).toEqual(SAID)
      }),
    120_000
  )
})
