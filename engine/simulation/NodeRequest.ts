import type { Batch } from "../actor/Journal.ts"
import type { NamedRequest } from "../cluster/RequestName.ts"
import { accountId, PLATFORM } from "../ledger/Account.ts"
import type { Command } from "../ledger/Command.ts"
import { fromUnits } from "../money/Amount.ts"
import type { PlatformEvent } from "../replay/PlatformEvent.ts"
import type { RequestPlan } from "./NodesScenario.ts"

/** What a client asks of a node, and nodes of each other. */
export interface NodeRequest {
  readonly plan: RequestPlan
  /** The client's key, or one of the node that it came to. */
  readonly key: string
  /** How the node that it came to named it, in place of a key of its own. */
  readonly sending?: NamedRequest
}

/** An answer as HTTP has it: 200, 409 while the first one runs, 421 of a node that does not write, 422, 500 or 503. */
export interface NodeResponse {
  readonly status: number
  readonly body: string
}

export const DONE = 200
export const RUNNING = 409
export const ELSEWHERE = 421
export const REFUSED = 422
export const FAILED = 500
export const UNAVAILABLE = 503

const ASSET = "USD"
const custody = accountId(PLATFORM, ASSET, "custody")
const vault = accountId(PLATFORM, ASSET, "vault")
const walletOf = (owner: number) => accountId(`cmp_${owner}`, ASSET, "wallet")

const commandsOf = ({ amount, id, index, kind, other, owner }: RequestPlan): ReadonlyArray<Command> => {
  const [wallet, units] = [walletOf(owner), fromUnits(amount)]
  // That of the first of three requests, if it is one and came before.
  const hold = `req/${index - (index % 3)}`
  switch (kind) {
    case "mint":
      return [{ _tag: "Transfer", id, from: custody, to: wallet, amount: fromUnits(amount * 2n), purpose: "mint" }]
    case "pay":
      return [{ _tag: "Transfer", id, from: wallet, to: walletOf(other), amount: units, purpose: "settlement" }]
    case "hold":
      return [{ _tag: "Hold", id, account: wallet, into: vault, amount: units }]
    case "capture":
      return [{ _tag: "Capture", hold, to: vault, amount: fromUnits(1n), purpose: "settlement" }]
    case "release":
      return [{ _tag: "Release", hold }]
  }
}

/** What a request is decided as, at a time in milliseconds since 1970. */
export const batchOf = ({ key, plan }: NodeRequest, at: number): Batch<PlatformEvent> => ({
  stream: `funds/cmp_${plan.owner}`,
  version: null,
  claims: plan.isClaimed ? [`request/${plan.id}`] : [],
  entries: [
    {
      commands: commandsOf(plan),
      event: {
        _tag: "FundsMinted",
        at,
        fundId: plan.id,
        owner: `cmp_${plan.owner}`,
        asset: ASSET,
        amount: fromUnits(plan.amount),
        externalReference: null
      },
      idempotency: { key, fingerprint: plan.id }
    }
  ]
})
