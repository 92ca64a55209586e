import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { FORMATS } from "../../../src/api/rpc/FastLane.ts"
import { FastLaneClient } from "../../../src/client/FastLaneClient.ts"
import { itLive } from "../../lib/Effects.ts"
import { openedArena } from "../../lib/OpenedArena.ts"
import { requireRuntime, RUNTIMES } from "../../lib/Runtimes.ts"

const ROOT = join(import.meta.dir, "../../..")

/** A folder of the package, so that a program in it finds the package by its name. */
const folder = Effect.acquireRelease(
  Effect.sync(() => {
    mkdirSync(join(ROOT, "reports"), { recursive: true })
    return mkdtempSync(join(ROOT, "reports", "fast-lane-"))
  }),
  (path) => Effect.sync(() => rmSync(path, { recursive: true }))
)

/** A program for any runtime or page: it commits, reads the order and its own commitments, and says what it saw. */
const PROGRAM = `
import { FastLaneClient } from "emporion/client/FastLaneClient"
const { url, token, format, terms } = JSON.parse(globalThis.process.argv.at(-1))
const lane = new FastLaneClient({ url, token: () => Promise.resolve(token), format })
const made = await lane.commit(terms)
const results = await lane.commitBatch([terms, { ...terms, order_id: "nothing" }])
let seen
for await (const order of lane.orders({ order_id: [terms.order_id] })) {
  seen = order.status
  break
}
const { commitments } = await lane.myCommitments({ limit: 1 })
const refusal = await lane.commit({ ...terms, quantity: -1 }).catch(({ _tag, code }) => [_tag, code])
await lane.close()
console.log(JSON.stringify([made.status, results.map((each) => each.code ?? each.status), seen, commitments.length, refusal]))
`

const SAID = ["active", ["active", "ARENA_001"], "competing", 1, ["Refused", "invalid_request"]]

/** The program as one file, made for a browser: it imports nothing of any platform. */
const bundled = (into: string) =>
  Effect.promise(async () => {
    const source = join(into, "program.js")
    writeFileSync(source, PROGRAM)
    await Bun.build({ entrypoints: [source], outdir: into, naming: "[name].mjs", target: "browser" })
    return join(into, "program.mjs")
  })

const said = (command: ReadonlyArray<string>, input: object): Promise<unknown> => {
  const child = Bun.spawn([...command, JSON.stringify(input)], { stdin: "ignore", stdout: "pipe", stderr: "inherit" })
  return new Response(child.stdout).text().then((text) => JSON.parse(text))
}

describe("FastLaneClient", () => {
  itLive(
    "commits and reads streams in either format, bundled once for Bun, Deno and Node",
    () =>
      Effect.gen(function* () {
        const { server, terms, trader } = yield* openedArena()
        const token = yield* server.token(trader.id)
        const { url } = server
        const file = yield* bundled(yield* folder)
        expect(yield* Effect.promise(() => Bun.file(file).text())).not.toMatch(/from ?"(node|bun):/)
        for (const runtime of RUNTIMES) requireRuntime(runtime)
        const commands = [
          [process.execPath, file],
          ...RUNTIMES.map(({ command, name }) => [...command, ...(name === "Deno" ? ["--allow-net"] : []), file])
        ]
        for (const format of FORMATS) {
          const outputs = yield* Effect.promise(() =>
            Promise.all(
              commands.map((command) => said(command, { url, token, format, terms: { ...terms, quantity: 1 } }))
            )
          )
          for (const output of outputs) expect(output).toEqual(SAID)
        }
      }),
    60_000
  )

  itLive("sends a commitment with an id again after the connection was lost, and makes it once", () =>
    Effect.gen(function* () {
      const { server, terms, trader } = yield* openedArena()
      const token = yield* server.token(trader.id)
      let opened = 0
      const lane = new FastLaneClient({
        url: server.url,
        token,
        makeWebSocket: (url, protocols) => {
          const socket = new WebSocket(url, protocols)
          opened += 1
          // The first connection is lost once the server has answered, and before the client hears of it.
          if (opened === 1) {
            const { addEventListener } = socket
            Object.assign(socket, {
              addEventListener: (type: string, listener: (event: Event) => void, options: object) =>
                addEventListener.call(socket, type, type === "message" ? () => socket.close() : listener, options)
            })
          }
          return socket
        }
      })
      const made = yield* Effect.promise(() => lane.commit({ ...terms, quantity: 1, idempotency_id: "once" }))
      expect(opened).toBe(2)
      const { commitments } = yield* Effect.promise(() => lane.myCommitments())
      expect(commitments.map(({ commitment_id: id }) => id)).toEqual([made.commitment_id])
      yield* Effect.promise(() => lane.close())
    })
  )
})
