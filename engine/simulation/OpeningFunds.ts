import type { Batch, Entry } from "../actor/Journal.ts"
import { VAULT } from "../arena/Order.ts"
import { type AccountId, accountId, PLATFORM } from "../ledger/Account.ts"
import { capital, mint } from "../ledger/Funding.ts"
import { grantLossAllowance } from "../ledger/LossLimit.ts"
import type { FundsEvent } from "../ledger/FundsEvent.ts"
import { type Amount, ZERO } from "../money/Amount.ts"
import type { Scenario, TraderPlan } from "./Scenario.ts"

/** The company on the other side of every order. */
export const MAKER = {
  owner: "cmp_maker",
  address: "0xmaker",
  account: accountId("usr_maker", "USD", "wallet")
} as const

const YIELD_SOURCE = accountId(PLATFORM, "USD", "yield_source")
const INSURANCE = accountId(PLATFORM, "USD", "insurance")

/** The money that is there when a simulation starts. */
export const openingFunds = ({ house, traders }: Scenario, at: number): ReadonlyArray<Batch<FundsEvent>> => [
  ...funded(MAKER.account, house.maker, at),
  ...funded(YIELD_SOURCE, house.yieldCapital, at),
  ...funded(INSURANCE, house.insurance, at),
  ...traders.map((trader) => openingOf(trader, at)).filter(({ entries }) => entries.length > 0)
]

/** The ledger moves no nothing. */
const funded = (account: AccountId, amount: Amount, at: number): ReadonlyArray<Batch<FundsEvent>> =>
  amount === ZERO
    ? []
    : [
        {
          stream: `capital/${account}`,
          version: 0,
          entries: [
            {
              commands: [capital(account, amount, "opening")],
              event: { _tag: "CapitalFunded", at, account, asset: VAULT.split("/")[1] ?? "", amount }
            }
          ]
        }
      ]

const openingOf = ({ id, index, balance, allowance, registered }: TraderPlan, at: number): Batch<FundsEvent> => {
  const minted: ReadonlyArray<Entry<FundsEvent>> = balance === ZERO ? [] : [mintedAt(id, balance, at)]
  const traderId = `mtr_${index}`
  const granted: ReadonlyArray<Entry<FundsEvent>> =
    allowance === null || allowance === ZERO || registered !== undefined
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
    entries: [...minted, ...granted]
  }
}

const mintedAt = (owner: string, amount: Amount, at: number): Entry<FundsEvent> => {
  const of = { owner, asset: "USD", amount }
  return {
    commands: [mint({ id: `opening/${owner}`, ...of })],
    event: { _tag: "FundsMinted", at, fundId: owner, ...of, externalReference: null }
  }
}
