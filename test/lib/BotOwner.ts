import { Effect } from "effect"
import type { User } from "../../src/identity/users/User.ts"
import { usd } from "./ArenaArbitraries.ts"
import type { TestServer } from "./TestServer.ts"

export const PATH = "/api/arena/machine-traders"

export const BODY = {
  name: "Scalper",
  capabilities: ["fx", "gpu"],
  strategy: { riskPreset: "balanced", maxCollateralPerTrade: 50 },
  collateral_amount: 100,
  credit_budget: 500,
  auto_topup_enabled: true
}

export interface Bot {
  readonly bot_id: string
  readonly status: string
  readonly suspension_reason: string | null
  readonly collateral_amount: number
  readonly collateral_available: number
  readonly net_funded: number
  readonly loss_limit: number
  readonly loss_remaining: number
  readonly [field: string]: unknown
}

export interface Answer {
  readonly success: boolean
  readonly code?: string
  readonly message: string
  readonly bot: Bot
}

export interface Order {
  readonly order_id: string
  readonly entry_price: number
}

export interface Paused {
  readonly paused: ReadonlyArray<string>
  readonly pauses_at: string | null
}

let wallets = 0

export const wallet = (): string => {
  wallets += 1
  return `0x${String(wallets).padStart(40, "b")}`
}

export const planned = (server: TestServer, { companyId }: User, plan: string) =>
  Effect.flatMap(server.admin, (as) => server.request("PUT", `/v1/companies/${companyId}/plan`, { plan }, { as }))

/** A user on a plan, with a wallet and money. */
export const owner = (server: TestServer, plan = "pro", money = "1000"): Effect.Effect<User> =>
  Effect.gen(function* () {
    const user = yield* server.user(wallet())
    yield* planned(server, user, plan)
    yield* server.mint(user.id, usd(money))
    return user
  })

export const create = (server: TestServer, { id }: User, body: object = {}, key?: string) =>
  server.post<Answer>(PATH, { ...BODY, ...body }, { as: id, key })

export const made = (server: TestServer, user: User, body: object = {}) =>
  Effect.map(create(server, user, body), ({ json }) => json.bot.bot_id)

export const ask = (
  server: TestServer,
  { id }: User,
  bot: string,
  act: string,
  body: unknown = undefined,
  key?: string
) => server.post<Answer>(`${PATH}/${bot}/${act}`, body, { as: id, key })

export const dollars = (server: TestServer, { id }: User) =>
  Effect.map(server.get<ReadonlyArray<{ readonly symbol: string }>>("/v1/funds", id), ({ json }) =>
    Number(json[0]?.symbol ?? 0)
  )
