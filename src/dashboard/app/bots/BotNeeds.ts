import type { Answer } from "../Contract.ts"
import { count, usd } from "../ui/Format.ts"
import type { Step } from "../ui/Steps.tsx"

type Company = Answer<"GET /v1/companies/:id">

/** What a new bot is made from. */
export interface BotMeans {
  readonly company: Pick<Company, "plan" | "machine_trader">
  /** Bots that the plan allows. */
  readonly most: number
  /** Bots that count: all but terminated ones. */
  readonly living: number
  readonly wallet: string | null
  /** USD that nothing reserves. */
  readonly free: number
}

const planStep = ({ company, most }: BotMeans): Step => ({
  icon: "gauge",
  title: "A plan with bots",
  text:
    most === 0
      ? `The plan ${company.plan} has none. Compare the plans and ask the operator to change yours.`
      : `The plan ${company.plan} has ${count(most)}.`,
  to: "/plan",
  done: most > 0
})

const roomStep = ({ living, most }: BotMeans): Step => ({
  icon: "bot",
  title: "Room for another one",
  text: `${count(living)} of ${count(most)} are in use. A terminated bot makes room.`,
  to: "/bots",
  done: living < most
})

const ENTITLEMENT: Step = {
  icon: "shield",
  title: "The right to have machines trade",
  text: "An administrator withdrew it from your company. Ask them to give it back.",
  to: undefined,
  done: false
}

const walletStep = ({ wallet }: BotMeans): Step => ({
  icon: "key",
  title: "A linked wallet",
  text: wallet === null ? "What the bot wins is paid in its name. Link it in your profile." : wallet,
  to: "/account",
  done: wallet !== null
})

const fundsStep = ({ free }: BotMeans): Step => ({
  icon: "wallet",
  title: "US dollars for its collateral",
  text: free > 0 ? `${usd(free)} are free.` : "None are free. Add some, and a part of them moves to the bot.",
  to: "/funds",
  done: free > 0
})

/** What a new bot needs, in the order in which one gets it, done or not. Specification 4.4. */
export const botNeeds = (means: BotMeans): ReadonlyArray<Step> => [
  planStep(means),
  ...(means.company.machine_trader ? [] : [ENTITLEMENT]),
  ...(means.most > 0 ? [roomStep(means)] : []),
  walletStep(means),
  fundsStep(means)
]
