import { Effect } from "effect"
import { accountId } from "../../engine/ledger/Account.ts"
import type { Trader } from "../../engine/arena/Commitment.ts"
import { type Amount, fromUnits, ONE } from "../../engine/money/Amount.ts"
import { MarketMaker } from "../../src/arena/MarketMaker.ts"
import { Owners } from "../../src/identity/users/Owners.ts"
import { SeededClient } from "../../src/identity/clients/SeededClient.ts"
import type { Owner } from "../../src/identity/users/User.ts"
import { UserRepository } from "../../src/identity/users/UserRepository.ts"
import { Users } from "../../src/identity/users/Users.ts"
import type { TestServer } from "./TestServer.ts"

/** Those with money enough: two people of one company, one of another with a wallet, and an API client. */
export const FUNDED_TRADERS = ["ada", "bob", "cyd", "client"] as const

/** And one with little money, one without any, one that is suspended, and the market maker's own. */
export const TRADERS = [...FUNDED_TRADERS, "poor", "broke", "suspended", "maker"] as const

export type TraderName = (typeof TRADERS)[number]

/** Everyone that takes part, by name. */
export type Actors = Readonly<Record<TraderName, Owner>>

const usd = (dollars: bigint): Amount => fromUnits(dollars * ONE)

/** What each begins with. */
const PURSES: Readonly<Record<TraderName, Amount>> = {
  ada: usd(50_000n),
  bob: usd(50_000n),
  cyd: usd(50_000n),
  client: usd(50_000n),
  poor: usd(700n),
  broke: usd(0n),
  suspended: usd(50_000n),
  maker: usd(0n)
}

const wallet = (digit: number): string => `0x${String(digit).repeat(40)}`

const addColleague = (companyId: string, createdAt: number) =>
  Effect.gen(function* () {
    const users = yield* UserRepository
    const id = `usr_${"colleague".padEnd(24, "0")}`
    yield* users.addUser({ id, companyId, role: "buyer", status: "active", createdAt })
    return id
  })

/** Makes the traders and gives each its money over HTTP. */
export const actors = Effect.fnUntraced(function* (server: TestServer) {
  const ada = yield* server.user()
  const colleague = yield* server.run(addColleague(ada.companyId, server.world.now))
  const suspended = yield* server.user(wallet(4))
  yield* server.run(Effect.flatMap(Users, (users) => users.setStatus(suspended.id, "suspended")))
  const { owner } = server.service(MarketMaker)
  const { credentials } = server.service(SeededClient)
  const maker = yield* server.run(Effect.flatMap(UserRepository, (users) => users.findFirstOf(owner, "buyer")))
  const ids: Readonly<Record<TraderName, string>> = {
    ada: ada.id,
    bob: colleague,
    cyd: (yield* server.user(wallet(1))).id,
    client: credentials?.principalId ?? "",
    poor: (yield* server.user(wallet(2))).id,
    broke: (yield* server.user(wallet(3))).id,
    suspended: suspended.id,
    maker: maker?.id ?? ""
  }
  const owners = server.service(Owners)
  const found = yield* Effect.forEach(TRADERS, (name) =>
    Effect.map(Effect.orDie(owners.ownerOf(ids[name])), (one) => [name, one] as const)
  )
  for (const name of TRADERS) if (PURSES[name] > 0n) yield* server.mint(ids[name], PURSES[name])
  return Object.fromEntries(found) as Actors
})

/** How an owner commits without a machine trader. */
export const traderOf = ({ companyId, companyKind, role, userId, walletAddress }: Owner): Trader => ({
  owner: companyId,
  userId,
  address: walletAddress ?? (companyKind === "normal" || companyKind === "maker" ? userId : `house:${userId}`),
  type: role === "service" ? "machine" : "human",
  botId: null,
  account: accountId(userId, "USD", "wallet"),
  allowance: null
})
