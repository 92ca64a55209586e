import { describe, expect, it } from "bun:test"
import { Clock, Effect } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { deliveryHeaders } from "../../../src/webhooks/DeliveryHeaders.ts"
import { bundled, examplesOf } from "../../lib/ClientPackage.ts"
import { itLive } from "../../lib/Effects.ts"
import { openedArena } from "../../lib/OpenedArena.ts"
import { requireRuntime, RUNTIMES } from "../../lib/Runtimes.ts"
import { eventually } from "../../lib/ServerProcess.ts"
import { temporaryFolder } from "../../lib/TemporaryFolder.ts"
import { paths, textOf } from "../../tidy/Source.ts"

const PAGE = "packages/client/README.md"
const LIMIT = 20_000

const REQUEST_ID = /[\da-f]{8}-[\da-f]{4}-[\da-f-]{22}/g

const examples = examplesOf(textOf(PAGE) ?? "")
const exampleWith = (name: string): string => examples.find((code) => code.includes(name)) ?? ""

/** Replaces what a reader would replace; all of it must be there. */
const adapted = (code: string, changes: Readonly<Record<string, string>>): string =>
  Object.entries(changes).reduce((text, [from, to]) => {
    expect(text).toContain(from)
    return text.replaceAll(from, to)
  }, code)

/** Runs a program on each runtime until all have said so many lines, which must be the same. */
const linesOf = Effect.fnUntraced(function* (code: string, count: number) {
  const file = join(yield* temporaryFolder, "example.mjs")
  writeFileSync(file, yield* bundled(code))
  for (const runtime of RUNTIMES) requireRuntime(runtime)
  const commands = [
    [process.execPath, file],
    ...RUNTIMES.map(({ command, name }) => [...command, ...(name === "Deno" ? ["--allow-net"] : []), file])
  ]
  const outputs = yield* Effect.forEach(commands, (command) =>
    Effect.acquireRelease(
      Effect.sync(() => Bun.spawn([...command], { stdin: "ignore", stdout: "pipe", stderr: "inherit" })),
      (child) => Effect.promise(() => (child.kill(), child.exited))
    ).pipe(
      Effect.map((child) => {
        const output = { text: "" }
        const gather = async (): Promise<void> => {
          for await (const chunk of child.stdout) output.text += Buffer.from(chunk).toString()
        }
        void gather()
        return output
      })
    )
  )
  yield* eventually("the example's lines", LIMIT, () =>
    outputs.every(({ text }) => text.split("\n").length > count) ? true : undefined
  )
  const lines = outputs.map(({ text }) => text.replaceAll(REQUEST_ID, "…").split("\n").slice(0, count))
  for (const each of lines) expect(each).toEqual(lines[0]!)
  return lines[0]!
})

describe(`The examples of ${PAGE}`, () => {
  itLive("list orders and say why a commitment is refused", () =>
    Effect.gen(function* () {
      const { server, order, trader } = yield* openedArena()
      const { json } = yield* server.post<{ readonly client_id: string; readonly client_secret: string }>(
        "/v1/clients",
        { name: "bot", scopes: ["payments:write"] },
        { as: trader.id }
      )
      const code = adapted(exampleWith("EmporionClient"), {
        "http://127.0.0.1:3000": server.url,
        "cli_…": json.client_id,
        '"…"': `"${json.client_secret}"`,
        "ord_…": order.order_id
      })
      const { json: listed } = yield* server.get<{ readonly total: number }>("/api/arena/orders?status=open", trader.id)
      const lines = yield* linesOf(code, listed.total + 1)
      expect(lines).toContain(`${order.order_id} ${order.entry_price}`)
      expect(lines.at(-1)).toMatch(/^ARENA_002 422 The collateral .* …$/)
    })
  )

  itLive("commit to every open order on a currency", () =>
    Effect.gen(function* () {
      const { server, trader } = yield* openedArena()
      const token = yield* server.token(trader.id)
      const code = adapted(exampleWith("FastLaneClient"), {
        "http://127.0.0.1:3000": server.url,
        "freshAccessToken()": `"${token}"`
      })
      expect(yield* linesOf(code, 1)).toEqual([expect.stringMatching(/^com_\w+ active$/)])
    })
  )

  itLive("take a delivery", () =>
    Effect.gen(function* () {
      const secret = `whsec_${Buffer.alloc(24, 7).toString("base64")}`
      const body = JSON.stringify({ type: "order.paid", data: { object: { id: "pur_1" } } })
      const at = yield* Clock.currentTimeMillis
      const headers = deliveryHeaders({ current: secret, previous: [] }, { eventId: "evt_1", body, at })
      const request = `new Request("http://a.example/", ${JSON.stringify({ method: "POST", headers, body })})`
      const code = `${exampleWith("verifyWebhook")}\nawait receive(${request}, "${secret}")`
      expect(yield* linesOf(code, 1)).toEqual(["pur_1"])
    })
  )

  it("are all that pages have of the package", () => {
    const pages = ["README.md", ...paths("docs/**/*.md"), ...paths("packages/*/README.md")]
    const found = pages.flatMap((page) => examplesOf(textOf(page) ?? "").map((code) => [page, code] as const))
    const stream = found.filter(([, code]) => code.includes("ArenaStreamClient")).map(([page]) => page)
    expect(stream).toEqual(["docs/reference/stream.md", PAGE])
    expect(found.filter(([, code]) => !code.includes("ArenaStreamClient")).map(([page]) => page)).toEqual(
      ["EmporionClient", "FastLaneClient", "verifyWebhook"].map(() => PAGE)
    )
  })
})
