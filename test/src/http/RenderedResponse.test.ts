import { describe, expect } from "bun:test"
import { Context, Effect } from "effect"
import { HttpRouter } from "effect/http"
import { CarriedRequest, RequestOutline, RequestOutlines } from "../../../src/cluster/CarriedRequest.ts"
import { ResponseOutline, ResponseOutlines, sentOfCarried, sentResponse } from "../../../src/cluster/CarriedResponse.ts"
import { HttpConventions } from "../../../src/http/HttpConventions.ts"
import type { RouterEffect } from "../../../src/http/RouterPath.ts"
import { itLive } from "../../lib/Effects.ts"
import { openedArena } from "../../lib/OpenedArena.ts"

const PATH = "/api/arena/commitments"

/** In which two answers to one request differ: the second of them may repeat the first. */
const OWN: ReadonlySet<string> = new Set([
  "x-request-id",
  "x-ratelimit-remaining",
  "idempotency-replayed",
  "content-length"
])

const REQUEST_ID = /"request_id":"[^"]+"/

const shown = async (response: Response | undefined) => ({
  status: response?.status,
  headers: [...(response?.headers ?? [])].filter(([name]) => !OWN.has(name)),
  text: (await response?.text())?.replace(REQUEST_ID, "")
})

const KEYS = ["", "k", " ", "k".repeat(256)] as const
const ODD: ReadonlyArray<Readonly<Record<string, string>>> = [
  {},
  { host: "a,b" },
  { "emporion-position": "nowhere" },
  { origin: "https://example.org" },
  { "content-type": "text/plain" },
  { "x-request-id": "mine" },
  { authorization: "Bearer forged" },
  { authorization: "" },
  { cookie: "session=none" }
]

/** The conventions of a server, by a request of its own and by one that shares a message with others. */
const bothWays = Effect.gen(function* () {
  const context = yield* Effect.context<never>()
  const served = context as Context.Context<HttpRouter.HttpRouter | HttpConventions>
  const router = Context.get(served, HttpRouter.HttpRouter) as unknown as { readonly asHttpEffect: () => RouterEffect }
  const { carrying, over } = Context.get(served, HttpConventions)
  const [alone, carried] = [over(router.asHttpEffect(), context), carrying(router.asHttpEffect(), context)]
  const [asked, answered] = [new RequestOutlines(), new ResponseOutlines()]
  return async (request: Request) => {
    const body = await request.clone().text()
    const addition = { key: undefined, position: undefined, length: Buffer.byteLength(body) }
    const { outline, values } = asked.of(request.headers, 1, addition)
    const place = { id: 1, path: PATH, address: "127.0.0.1", port: 1, body, values }
    const sent = new CarriedRequest({ ...place, outline: new RequestOutline(outline) }, undefined)
    const response = await carried.serveCarried(sent, "127.0.0.1")
    if (response === undefined) throw new Error("It was upgraded")
    const back = await sentResponse(1, response, answered)
    const told = sentOfCarried({ ...back, outline: new ResponseOutline(back.outline) }, false)
    return [
      await shown(await alone.serve(request, "127.0.0.1", () => false)),
      await shown(told._tag === "Answered" ? told.response : undefined)
    ]
  }
})

describe("What is rendered for a message", () => {
  itLive("is what the runtime's own response says, whatever is refused", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { order, server, terms, trader } = yield* openedArena()
        const token = yield* server.token(trader.id)
        const ask = yield* server.run(bothWays)
        const bodies = [
          JSON.stringify({ ...terms, order_id: "ord_none" }),
          JSON.stringify({ ...terms, quantity: -1 }),
          JSON.stringify({ order_id: order.order_id }),
          "\uFEFF{}",
          "{",
          "[".repeat(5_000),
          '"ä"'
        ]
        const statuses = new Set<number | undefined>()
        const asked = bodies.flatMap((body, at) =>
          ODD.map((odd, place) => ({ body, odd, key: KEYS[(at + place) % KEYS.length] ?? "" }))
        )
        for (const one of asked) {
          const headers = new Headers({
            authorization: `Bearer ${token}`,
            "content-type": "application/json",
            "content-length": String(Buffer.byteLength(one.body)),
            host: "localhost",
            ...(one.key === "" ? {} : { "idempotency-key": one.key }),
            ...one.odd
          })
          const request = new Request(`http://localhost${PATH}`, { method: "POST", headers, body: one.body })
          const [alone, carried] = yield* Effect.promise(() => ask(request))
          expect(carried).toEqual(alone)
          statuses.add(alone?.status)
        }
        expect([...statuses].toSorted()).toEqual(expect.arrayContaining([400, 401, 415, 422]))
      })
    )
  )
})
