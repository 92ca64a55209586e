import { describe, expect, it } from "bun:test"
import { Clock, Effect } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { deliveryHeaders } from "../../../src/webhooks/DeliveryHeaders.ts"
import { itLive } from "../../lib/Effects.ts"
import { openedArena } from "../../lib/OpenedArena.ts"
import { pythonCommand, pythonExamplesOf } from "../../lib/Python.ts"
import { eventually } from "../../lib/ServerProcess.ts"
import { temporaryFolder } from "../../lib/TemporaryFolder.ts"
import { paths, textOf } from "../../tidy/Source.ts"

const PAGE = "packages/client-python/README.md"
const LIMIT = 20_000

const examples = pythonExamplesOf(textOf(PAGE) ?? "")
const exampleWith = (name: string): string => examples.find((code) => code.includes(name)) ?? ""

/** Replaces what a reader would replace; all of it must be there. */
const adapted = (code: string, changes: Readonly<Record<string, string>>): string =>
  Object.entries(changes).reduce((text, [from, to]) => {
    expect(text).toContain(from)
    return text.replaceAll(from, to)
  }, code)

/** Starts a program, and gathers its lines until the scope ends. */
const started = Effect.fnUntraced(function* (code: string) {
  const file = join(yield* temporaryFolder, "example.py")
  writeFileSync(file, code)
  const child = yield* Effect.acquireRelease(
    Effect.sync(() => Bun.spawn([...pythonCommand(file)], { stdin: "ignore", stdout: "pipe", stderr: "inherit" })),
    (each) => Effect.promise(() => (each.kill(), each.exited))
  )
  const output = { text: "" }
  const gather = async (): Promise<void> => {
    for await (const chunk of child.stdout) output.text += Buffer.from(chunk).toString()
  }
  void gather()
  return (count: number) =>
    eventually(`${count} lines of the example`, LIMIT, () => {
      const lines = output.text.split("\n").slice(0, -1)
      return lines.length >= count ? lines.slice(0, count) : undefined
    })
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
      const lines = yield* (yield* started(code))(listed.total + 1)
      expect(lines).toContain(`${order.order_id} ${order.entry_price}`)
      expect(lines.at(-1)).toMatch(/^ARENA_002 422 The collateral .* [\da-f-]{36}$/)
    })
  )

  itLive("tell of orders and commitments", () =>
    Effect.gen(function* () {
      const { server, commit } = yield* openedArena()
      const code = adapted(exampleWith("ArenaStreamClient"), { "http://127.0.0.1:3000": server.url })
      const lines = yield* started(code)
      expect(yield* lines(1)).toEqual([expect.stringMatching(/^\d+ orders at \d+$/)])
      const { json } = yield* commit({})
      expect((yield* lines(2))[1]).toBe(`${json.data.commitment_id} is active, one of 1`)
    })
  )

  itLive("commit to every open order on a currency", () =>
    Effect.gen(function* () {
      const { server, trader } = yield* openedArena()
      const code = adapted(exampleWith("FastLaneClient"), {
        "http://127.0.0.1:3000": server.url,
        "fresh_access_token()": `"${yield* server.token(trader.id)}"`
      })
      expect(yield* (yield* started(code))(1)).toEqual([expect.stringMatching(/^com_\w+ active$/)])
    })
  )

  itLive("take a delivery as the platform signs it", () =>
    Effect.gen(function* () {
      const secret = `whsec_${Buffer.alloc(24, 7).toString("base64")}`
      const body = JSON.stringify({ type: "order.paid", data: { object: { id: "pur_1" } } })
      const at = yield* Clock.currentTimeMillis
      const headers = deliveryHeaders({ current: secret, previous: [] }, { eventId: "evt_1", body, at })
      const given = `${JSON.stringify(body)}.encode(), ${JSON.stringify(headers)}`
      const calls = [secret, `whsec_${Buffer.alloc(24, 8).toString("base64")}`].map(
        (each) => `print(receive(${given}, "${each}"))`
      )
      const lines = yield* started([exampleWith("verify_webhook"), ...calls].join("\n"))
      expect(yield* lines(4)).toEqual(["pur_1", "200", "wrong_signature", "400"])
    })
  )

  it("are all that pages have of the package", () => {
    const pages = ["README.md", ...paths("docs/**/*.md"), ...paths("packages/*/README.md")]
    const found = pages.flatMap((page) => pythonExamplesOf(textOf(page) ?? "").map(() => page))
    expect(found).toEqual([PAGE, PAGE, PAGE, PAGE])
  })
})
