import { walletOf } from "../ledger/Funding.ts"
import { lossAllowanceOf } from "../ledger/LossLimit.ts"
import type { Trader } from "./Commitment.ts"
import type { Submission } from "./Submission.ts"

/** As whom a commitment is asked for. */
export interface AskedFor {
  readonly userId: string
  /** The machine trader that is to commit; undefined for the user itself. */
  readonly machineId: string | undefined
  /** A service commits as a machine, like a machine trader. */
  readonly isService: boolean
}

/** The user who asks, as it is known. */
export interface AskingUser {
  readonly userId: string
  /** The company. */
  readonly owner: string
  /** The linked wallet. */
  readonly walletAddress: string | undefined
  /** One of the house's own. */
  readonly isHouse: boolean
  readonly isSuspended: boolean
}

/** The machine trader that is asked for, as it is known. */
export interface AskedMachine {
  readonly id: string
  /** The company. */
  readonly owner: string
  readonly userId: string
  readonly address: string
  /** A bot belongs to its company, and has collateral of its own. */
  readonly isBot: boolean
  readonly isActive: boolean
}

/** Who commits, and whether that may be. */
export type TraderStatus = Pick<Submission, "trader" | "barred">

/** A bot is its company's; any other machine trader is its user's. */
const isOwn = ({ isBot, owner, userId }: AskedMachine, by: AskingUser): boolean =>
  isBot ? owner === by.owner : userId === by.userId

/** The linked wallet; else the user, marked where it is one of the house's own. */
const addressOf = ({ isHouse, userId, walletAddress }: AskingUser): string =>
  walletAddress ?? (isHouse ? `house:${userId}` : userId)

const accountsOf = (userId: string, machine: AskedMachine | undefined): Pick<Trader, "account" | "allowance"> =>
  machine === undefined
    ? { account: walletOf(userId, "USD"), allowance: null }
    : {
        account: walletOf(machine.isBot ? machine.id : machine.userId, "USD"),
        allowance: lossAllowanceOf(machine.id)
      }

/** Who commits where a user asks for it; `machine` is the machine trader that is asked for, where there is one. */
export const standingOf = (
  { isService, machineId, userId }: AskedFor,
  user: AskingUser,
  machine: AskedMachine | undefined
): TraderStatus => {
  const isMachine = machineId !== undefined
  const mayCommit = !isMachine || (machine?.isActive === true && isOwn(machine, user))
  return {
    trader: {
      owner: user.owner,
      userId: machine?.userId ?? userId,
      address: machine?.address ?? addressOf(user),
      type: isMachine || isService ? "machine" : "human",
      botId: machineId ?? null,
      ...accountsOf(userId, machine)
    },
    barred: !mayCommit ? "machine_not_active" : user.isSuspended ? "suspended" : null
  }
}
