import { describe, expect } from "bun:test"
import { Effect } from "effect"
import type { Scope } from "effect"
import type { Browser, BrowserContext, Page } from "playwright-core"
import { FastLaneServer } from "../../../src/rpc/FastLaneServer.ts"
import { launched } from "../../lib/Chromium.ts"
import { bundled } from "../../lib/ClientPackage.ts"
import { itLive } from "../../lib/Effects.ts"
import { openedArena, type ArenaOrderJson } from "../../lib/OpenedArena.ts"
import type { TestServer } from "../../lib/TestServer.ts"

const PERSON = { email: "ada@example.com", password: "correct horse battery" }

/** What a page does with the client: it signs in either way, trades, watches, leaves streams and meets refusals. */
const PROGRAM = `
import { FastLaneClient } from "emporion-client/fast-lane"

const post = async (url, body) => {
  const sent = body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }
  const response = await fetch(url, { method: "POST", ...sent })
  const answer = await response.json()
  if (!response.ok) throw new Error(response.status + " " + answer.code)
  return answer
}

const byPassword = async (url, person) => {
  let { refresh_token } = await post(url + "/api/v1/auth/login", person)
  return async () => {
    const given = await post(url + "/api/v1/auth/token", { grant_type: "refresh_token", refresh_token })
    refresh_token = given.refresh_token
    return given.access_token
  }
}

const bySession = async () => (await post("/api/v1/auth/session")).access_token

const refusalOf = (call) => call.then(() => "none", ({ name, code, message }) => [name, code, typeof message])

globalThis.trade = async ({ url, person, terms }) => {
  const token = person === undefined ? bySession : await byPassword(url, person)
  const lane = new FastLaneClient({ url, token })
  const { funds } = await lane.balances()
  const items = [{ ...terms, idempotency_id: terms.order_id }, { ...terms, order_id: "nothing" }]
  const statuses = []
  let batch
  for await (const order of lane.orders({ order_id: [terms.order_id] })) {
    statuses.push(order.status)
    if (statuses.length > 1) break
    batch = await lane.commitBatch(items)
  }
  const again = await lane.commitBatch(items)
  const kinds = new Set()
  for await (const { kind } of lane.subscribe({ snapshot: true })) {
    kinds.add(kind)
    if (kinds.has("snapshot")) break
  }
  const refused = await refusalOf(lane.commit({ ...terms, quantity: -1 }))
  const left = await lane.balances({}, { signal: AbortSignal.abort() }).then(() => "answered", () => "left")
  const { commitments } = await lane.myCommitments()
  await lane.close()
  return {
    usd: funds.filter(({ type }) => type === "USD").map(({ symbol }) => symbol),
    results: batch.map((each) => each.code ?? each.status),
    madeOnce: again[0].commitment_id === batch[0].commitment_id,
    mine: commitments.some((each) => each.commitment_id === batch[0].commitment_id),
    statuses,
    kinds: [...kinds],
    refused,
    left
  }
}

globalThis.stranger = async (url) => {
  const lane = new FastLaneClient({ url, token: "wrong" })
  const refused = await lane.balances().then(() => "none", ({ code }) => code)
  await lane.close()
  return refused
}

globalThis.signIn = (person) => post("/api/v1/auth/login", person).then(() => undefined)
`

const PAGE = `<!doctype html><html lang="en"><head><title>Trading</title><script type="module" src="/trade.js"></script></head></html>`

const windows = (browser: Browser): Effect.Effect<BrowserContext, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.promise(() => browser.newContext()),
    (context) => Effect.promise(() => context.close())
  )

/** A window whose pages have the program beside their own scripts. */
const windowWith = (context: BrowserContext, script: string): Effect.Effect<Page> =>
  Effect.promise(async () => {
    const page = await context.newPage()
    await page.addInitScript({ content: script })
    return page
  })

/** A site of somebody else's, as strict about scripts as pages get. */
const site = (script: string) =>
  Effect.acquireRelease(
    Effect.sync(() =>
      Bun.serve({
        port: 0,
        hostname: "127.0.0.1",
        fetch: ({ url }) =>
          new URL(url).pathname === "/trade.js"
            ? new Response(script, { headers: { "content-type": "text/javascript" } })
            : new Response(PAGE, {
                headers: {
                  "content-type": "text/html",
                  "content-security-policy": "default-src 'none'; script-src 'self'; connect-src http: ws:"
                }
              })
      })
    ),
    (server) => Effect.promise(() => server.stop(true))
  )

interface Trading {
  readonly url: string
  readonly person?: typeof PERSON
  readonly terms: object
}

/** A page that has loaded the program. */
class TradingPage {
  readonly #page: Page

  private constructor(page: Page) {
    this.#page = page
  }

  static readonly open = (page: Page, url: string): Effect.Effect<TradingPage> =>
    Effect.promise(async () => {
      await page.goto(url)
      await page.waitForFunction("globalThis.trade !== undefined")
      return new TradingPage(page)
    })

  calls(name: "trade" | "stranger" | "signIn", input: Trading | string | typeof PERSON): Effect.Effect<unknown> {
    return Effect.promise(() => this.#page.evaluate(`${name}(${JSON.stringify(input)})`))
  }
}

const termsOf = ({ entry_price: price, order_id }: ArenaOrderJson) => ({
  order_id,
  proposed_entry_price: price,
  expected_exit_price: Math.ceil(price * 1_050_000) / 1e6,
  quantity: 1
})

/** What every page sees of the program. */
const SEEN = expect.objectContaining({
  results: ["active", "ARENA_001"],
  madeOnce: true,
  mine: true,
  statuses: ["open", "competing"],
  kinds: ["snapshot"],
  refused: ["ApiError", "invalid_request", "string"],
  left: "left"
})

/** Somebody with 2,000 USD, and the terms of a commitment on each open order. */
const equipped = (server: TestServer) =>
  Effect.gen(function* () {
    const { json: user } = yield* server.post<{ readonly id: string }>("/api/v1/auth/register", {
      ...PERSON,
      company_name: "Northwind Trading"
    })
    yield* server.post("/v1/funds", { owner: user.id, type: "USD", symbol: "2000" }, { as: user.id })
    const { json } = yield* server.get<{ readonly orders: ReadonlyArray<ArenaOrderJson> }>("/api/arena/orders", user.id)
    return json.orders.map(termsOf)
  })

/** Streams of a kind that the server saw left by their readers. */
const streamsLeft = (metrics: string, rpc: string): number => {
  const line = metrics.split("\n").find((each) => /^rpc_requests.*"cancelled"/.test(each) && each.includes(`"${rpc}"`))
  return Number(line?.split(" ").at(-1))
}

describe("FastLaneClient in a browser", () => {
  itLive("trades from a page of another origin, and by the session from one of the server's", () =>
    Effect.gen(function* () {
      const script = yield* bundled(PROGRAM, { minify: true, format: "iife" })
      const elsewhere = yield* site(script)
      const { server } = yield* openedArena({ CORS_ORIGINS: elsewhere.url.origin })
      const [first = {}, second = {}, third = {}] = yield* equipped(server)
      const { url } = server
      const context = yield* windows(yield* launched)

      const foreign = yield* TradingPage.open(yield* Effect.promise(() => context.newPage()), elsewhere.url.href)
      const seen = yield* foreign.calls("trade", { url, person: PERSON, terms: first })
      expect(seen).toEqual(SEEN)
      expect(seen).toMatchObject({ usd: ["2000"] })
      expect(yield* foreign.calls("trade", { url, person: PERSON, terms: second })).toEqual(SEEN)
      expect(yield* foreign.calls("stranger", url)).toBe("unauthorized")

      const own = yield* TradingPage.open(yield* windowWith(context, script), `${url}/dashboard`)
      yield* own.calls("signIn", PERSON)
      expect(yield* own.calls("trade", { url, terms: third })).toEqual(SEEN)

      const { text } = yield* server.get("/metrics")
      expect(streamsLeft(text, "subscribe")).toBe(6)
      expect(server.service(FastLaneServer).size()).toBe(0)
    })
  )
})
