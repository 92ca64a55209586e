import { Effect } from "effect"
import type { Scope } from "effect"
import { randomBytes } from "node:crypto"
import { sign } from "../../src/identity/providers/ShopSignature.ts"

/** The person of a shop's staff who signs in next. */
interface ShopPerson {
  readonly id: number
  readonly email: string
  readonly email_verified: boolean
  readonly account_owner: boolean
  readonly first_name?: string
  readonly last_name?: string
}

export interface ShopServer {
  readonly url: string
  /** Every shop is served by it: which one is asked for is told by the redirect. */
  person: ShopPerson
  /** What its token endpoint answers instead, while it is set. */
  broken: ((request: Request) => Response | Promise<Response>) | undefined
  readonly exchanges: Array<unknown>
}

export const SHOP_CLIENT = { id: "shop-app", secret: "a secret of the shop's app" } as const

/** The parameters of a shop's redirect with its signature. */
export const signed = (parameters: Readonly<Record<string, string>>): URLSearchParams => {
  const pairs = Object.entries(parameters)
  return new URLSearchParams([...pairs, ["hmac", sign(pairs, SHOP_CLIENT.secret)]])
}

const handle = (codes: Set<string>, server: ShopServer, shop: string) => async (request: Request) => {
  const url = new URL(request.url)
  if (url.pathname === "/admin/oauth/authorize") {
    const code = randomBytes(16).toString("hex")
    codes.add(code)
    const back = new URL(url.searchParams.get("redirect_uri") ?? "")
    const timestamp = String(Math.floor(Date.now() / 1000))
    const state = url.searchParams.get("state") ?? ""
    back.search = signed({ code, shop, state, timestamp, host: "YWRtaW4=" }).toString()
    return new Response(null, { status: 302, headers: { location: back.href } })
  }
  if (url.pathname !== "/admin/oauth/access_token") return new Response(null, { status: 404 })
  if (server.broken !== undefined) return server.broken(request)
  const asked = (await request.json()) as { readonly code: string; client_id: string; client_secret: string }
  server.exchanges.push(asked)
  const isOurs = asked.client_id === SHOP_CLIENT.id && asked.client_secret === SHOP_CLIENT.secret
  if (!isOurs || !codes.delete(asked.code)) return Response.json({ error: "invalid_request" }, { status: 400 })
  return Response.json({
    access_token: "shpat_1",
    scope: "",
    associated_user_scope: "",
    associated_user: server.person
  })
}

/** A shop of the e-commerce platform, as far as signing in needs one. */
export const shopServer = (shop: string, person: ShopPerson): Effect.Effect<ShopServer, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const codes = new Set<string>()
      const state: ShopServer = { url: "", person, broken: undefined, exchanges: [] }
      const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: (request) => answer(request) })
      const fixture = Object.assign(state, { url: server.url.origin })
      const answer = handle(codes, fixture, shop)
      return { server, fixture }
    }),
    ({ server }) => Effect.promise(() => server.stop(true))
  ).pipe(Effect.map(({ fixture }) => fixture))
