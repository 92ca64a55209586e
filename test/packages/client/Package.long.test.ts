import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { readdirSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import manifest from "../../../packages/client/package.json"
import { deliveryHeaders } from "../../../src/webhooks/DeliveryHeaders.ts"
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

interface Given {
  readonly url: string
  readonly token: string
  readonly terms: object
  readonly delivery: {
    readonly body: string
    readonly headers: Readonly<Record<string, string>>
    readonly secret: string
  }
}

/** A program that uses everything that is in the package. */
const PROGRAM = ({ delivery, terms, token, url }: Given): string => `
import { ApiError, type CodeOf, EmporionClient, type Operation, type RequestOf, type ResponseOf } from "emporion-client"
import { FastLaneClient, type ItemResult } from "emporion-client/fast-lane"
import { ArenaStreamClient, type StreamItem, StreamRefused } from "emporion-client/stream"
import { verifyWebhook, type WebhookEvent } from "emporion-client/webhooks"

const [url, token] = ["${url}", "${token}"]
const terms: RequestOf<"POST /api/arena/commitments">["body"] = ${JSON.stringify(terms)}
const codeOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(() => "none", (error: unknown) => (error instanceof ApiError || error instanceof StreamRefused ? error.code : String(error)))

const firstOf = async (items: AsyncIterable<StreamItem>): Promise<StreamItem | undefined> => {
  for await (const item of items) return item
  return undefined
}

const client = new EmporionClient({ url, token })
const operation: Operation = "POST /api/arena/commitments"
const made: ResponseOf<typeof operation> = await client.call(operation, { body: terms }, { idempotencyKey: "once" })
const again = await client.call(operation, { body: terms }, { idempotencyKey: "once" })
const ids: Array<string> = []
for await (const order of client.rows("GET /api/arena/orders", { query: { limit: 2 } })) ids.push(order.order_id)
const unknown: CodeOf<"GET /api/arena/orders/{order_id}"> = "ARENA_001"

const stream = new ArenaStreamClient({ url, token: () => client.token(), channels: ["orders", "my"] })
const first = await firstOf(stream)

const lane = new FastLaneClient({ url, token: client.token })
const results: ReadonlyArray<ItemResult> = await lane.commitBatch([terms, { ...terms, order_id: "nothing" }])
const seen = await firstOf(lane.subscribe({ snapshot: true }))
const anyone = new FastLaneClient({ url, token: "wrong" })
const told: WebhookEvent = await verifyWebhook(${JSON.stringify(delivery.body)}, ${JSON.stringify(delivery.headers)}, "${delivery.secret}")

export const said = {
  again: made.data.commitment_id === again.data.commitment_id,
  listed: ids.includes(terms.order_id),
  refused: [
    await codeOf(client.call("GET /api/arena/orders/{order_id}", { path: { order_id: "none" } })),
    await codeOf(new EmporionClient({ url, token: "wrong" }).call("GET /v1/funds")),
    await codeOf(anyone.balances()),
    await codeOf(firstOf(new ArenaStreamClient({ url, token: "wrong" })))
  ],
  unknown,
  stream: first?.kind === "snapshot" && first.orders.some(({ asset_type: type }) => type === "fx"),
  lane: results.map((result) => (result._tag === "Accepted" ? result.status : result.code)),
  seen: seen?.kind,
  told: told.type === "company.updated" && told.data.object.name
}
await Promise.all([lane.close(), anyone.close()])
console.log(JSON.stringify(said))
`

const SAID = {
  again: true,
  listed: true,
  refused: ["ARENA_001", "unauthorized", "unauthorized", "unauthorized"],
  unknown: "ARENA_001",
  stream: true,
  lane: ["active", "ARENA_001"],
  seen: "snapshot",
  told: "Northwind"
}

const SECRET = `whsec_${Buffer.alloc(24, 7).toString("base64")}`

/** A delivery as the platform signs it. */
const delivery = () => {
  const body = JSON.stringify({ type: "company.updated", data: { object: { name: "Northwind" } } })
  const headers = deliveryHeaders({ current: SECRET, previous: [] }, { eventId: "evt_1", body, at: Date.now() })
  return { body, headers, secret: SECRET }
}

/** A page of the folder that runs the program as it is, with the package found by an import map and no bundler. */
const site = Effect.fnUntraced(function* (folder: string) {
  const imports = Object.fromEntries(
    Object.entries(manifest.exports).flatMap(([name, entry]) =>
      typeof entry === "string"
        ? []
        : [[join(manifest.name, name), `/${join("node_modules", manifest.name, entry.default)}`]]
    )
  )
  const html = `<!doctype html><script type="importmap">${JSON.stringify({ imports })}</script>
<script type="module">globalThis.said = import("/program.js").then(({ said }) => said)</script>`
  const server = yield* Effect.acquireRelease(
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
    (each) => Effect.promise(() => each.stop(true))
  )
  return server.url.href
})

describe("The packed package", () => {
  itLive(
    "compiles under tsc --strict in an empty folder, and runs on Bun, Deno, Node and in Chromium",
    () =>
      Effect.gen(function* () {
        const { bytes, folder } = yield* installed
        const page = yield* site(folder)
        const { server, terms, trader } = yield* openedArena({ CORS_ORIGINS: new URL(page).origin })
        expect(bytes).toBeLessThanOrEqual(MOST_PACKED)
        expect(readdirSync(join(folder, "node_modules")).filter((name) => !name.startsWith("."))).toEqual([
          "emporion-client"
        ])
        writeFileSync(
          join(folder, "program.ts"),
          PROGRAM({
            url: server.url,
            token: yield* server.token(trader.id),
            terms: { ...terms, quantity: 1 },
            delivery: delivery()
          })
        )
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
        const said = yield* Effect.promise(async () => {
          const tab = await browser.newPage()
          await tab.goto(page)
          return tab.evaluate("globalThis.said")
        })
        expect(said).toEqual(SAID)
      }),
    120_000
  )
})
