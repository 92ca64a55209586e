import { Context, Effect, Layer } from "effect"
import { createHash } from "node:crypto"
import type { Maker } from "../../engine/arena/OrderTerms.ts"
import { accountId, PLATFORM } from "../../engine/ledger/Account.ts"
import { type Amount, fromUnits, ONE } from "../../engine/money/Amount.ts"
import { Settings } from "../Config.ts"
import { Funds } from "../funds/Funds.ts"
import { Users } from "../identity/users/Users.ts"

const usd = (dollars: bigint): Amount => fromUnits(dollars * ONE)

/** The sandbox's own capital. In production an administrator brings it in. */
const SANDBOX_CAPITAL = {
  maker: usd(10_000_000n),
  yieldSource: usd(1_000_000n),
  insurance: usd(250_000n)
}

/** An identifier in the form of an address; nobody holds a key to it. */
export const houseAddress = (label: string): string =>
  `0x${createHash("sha256").update(`emporion/${label}`).digest("hex").slice(0, 40)}`

/** The company on the other side of every order, with its working capital. */
export class MarketMaker extends Context.Service<MarketMaker, Maker>()("emporion/arena/MarketMaker") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const { mode } = yield* Settings
      const users = yield* Users
      const funds = yield* Funds
      const made = yield* users.createHouse({
        companyName: "Emporion Market Making",
        label: "market-maker",
        kind: "maker"
      })
      const user =
        made.walletAddress === undefined ? yield* users.update(made.id, { walletAddress: houseAddress(made.id) }) : made
      const account = accountId(user.id, "USD", "wallet")
      if (mode === "sandbox") {
        yield* funds.capital(account, SANDBOX_CAPITAL.maker, "working_capital")
        yield* funds.capital(accountId(PLATFORM, "USD", "yield_source"), SANDBOX_CAPITAL.yieldSource, "working_capital")
        yield* funds.capital(accountId(PLATFORM, "USD", "insurance"), SANDBOX_CAPITAL.insurance, "working_capital")
      }
      return MarketMaker.of({ owner: user.companyId, address: user.walletAddress ?? user.id, account })
    }).pipe(Effect.catchTag(["InvalidWalletAddress", "WalletTaken", "UserNotFound"], Effect.die))
  )
}
