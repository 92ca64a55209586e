import type { Batch, Entry } from "../actor/Journal.ts"
import { VAULT } from "../arena/Order.ts"
import { type AccountId, accountId, PLATFORM } from "../ledger/Account.ts"
import { capital, mint } from "../ledger/Funding.ts"
import { grantLossAllowance } from "../ledger/LossLimit.ts"
import type { FundsEvent } from "../ledger/FundsEvent.ts"
import { type Amount, fromUnits, ONE } from "../money/Amount.ts"
import type { Scenario, TraderPlan } from "./Scenario.ts"

/** The company on the other side of every order. */
export const MAKER = {
  owner: "cmp_maker",
  address: "0xmaker",
  account: accountId("usr_maker", "USD", "wallet")
} as const

const YIELD_SOURCE = accountId(PLATFORM, "USD", "yield_source")
const INSURANCE = accountId(PLATFORM, "USD", "insurance")

const usd = (dollars: bigint): Amount => fromUnits(dollars * ONE)

/** The money that is there when a simulation starts. The vault itself never holds any. */
export const openingFunds = ({ traders, yieldCapital }: Scenario, at: number): ReadonlyArray<Batch<FundsEvent>> => [
  funded(MAKER.account, usd(10_000_000n), at),
  funded(YIELD_SOURCE, yieldCapital, at),
  funded(INSURANCE, usd(100n), at),
  ...traders.map((trader) => openingOf(trader, at))
]

const funded = (account: AccountId, amount: Amount, at: number): Batch<FundsEvent> => ({
  stream: `capital/${account}`,
  version: 0,
  entries: [
    {
      commands: [capital(account, amount, "opening")],
      event: { _tag: "CapitalFunded", at, account, asset: VAULT.split("/")[1] ?? "", amount }
    }
  ]
})

const openingOf = ({ id, index, balance, allowance }: TraderPlan, at: number): Batch<FundsEvent> => {
  const minted = { id: `opening/${id}`, owner: id, asset: "USD", amount: balance }
  const traderId = `mtr_${index}`
  const granted: ReadonlyArray<Entry<FundsEvent>> =
    allowance === null
      ? []
      : [
          {
            commands: [grantLossAllowance(traderId, allowance)],
            event: { _tag: "AllowanceGranted", at, traderId, amount: allowance }
          }
        ]
  return {
    stream: `fund/${id}`,
    version: 0,
    entries: [
      {
        commands: [mint(minted)],
        event: {
          _tag: "FundsMinted",
          at,
          fundId: id,
          owner: id,
          asset: "USD",
          amount: balance,
          externalReference: null
        }
      },
      ...granted
    ]
  }
}
