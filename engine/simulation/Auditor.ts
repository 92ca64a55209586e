import type { PlatformEvent } from "../replay/PlatformEvent.ts"
import type { ChainHash } from "../actor/EventChain.ts"
import type { Transition } from "../arena/CircuitBreaker.ts"
import type { FairnessRule } from "../arena/Fairness.ts"
import type { Recorded } from "../actor/Journal.ts"
import type { Median } from "../arena/Median.ts"
import type { OrderState } from "../arena/Order.ts"
import type { AssetType } from "../arena/AssetType.ts"
import type { Account, AccountId } from "../ledger/Account.ts"
import type { Command } from "../ledger/Command.ts"
import { walletOf } from "../ledger/Funding.ts"
import type { Asked } from "./AskedCommitments.ts"
import { BotAudit } from "./BotAudit.ts"
import { ChainAudit } from "./ChainAudit.ts"
import { CreditsAudit } from "./CreditsAudit.ts"
import { HaltAudit } from "./HaltAudit.ts"
import { LedgerAudit, type Report } from "./LedgerAudit.ts"
import { MachineAudit } from "./MachineAudit.ts"
import type { Commit, SimulatedJournal } from "./SimulatedJournal.ts"
import type { Wire } from "./NaiveOrder.ts"
import { OrderAudit, type OrderAuditParts } from "./OrderAudit.ts"
import type { EndedPlatform, PlatformAudit } from "./platform/PlatformAudit.ts"
import type { KeptEvent } from "./MemoryTables.ts"
import type { YieldRange } from "./SettlementAudit.ts"
import type { Violation } from "./SimulationResult.ts"
import { WorldRecord } from "./WorldRecord.ts"

export interface AuditorParts {
  readonly link: ChainHash
  readonly tieKey: (orderId: string) => string
  readonly tieHash: (tieKey: string, owner: string) => string
  /** Owners of machine traders that are no bots, and always active for everything. */
  readonly machineOwners: ReadonlySet<string>
  /** How many of these there are. */
  readonly machines: number
  /** The free credits of a company's plan, each month, in 10⁻⁶. */
  readonly monthlyCredits: (companyId: string) => bigint
  /** Who judges the companies, where there are any. */
  readonly platform?: ((report: Report) => PlatformAudit) | undefined
  readonly rule: FairnessRule
  readonly yields: YieldRange
  readonly limits: OrderAuditParts["limits"]
  readonly now: () => number
  /** Milliseconds that have passed since the start. */
  readonly elapsed: () => number
}

/**
 * Judges every step of a simulation by rules of its own, with none of the engine's: it reads the commands, the bytes of
 * the events and the accounts that a commit leaves behind. A step costs what it changes.
 */
export class Auditor {
  readonly #parts: AuditorParts
  readonly #world: WorldRecord
  readonly #ledger: LedgerAudit
  readonly #chain: ChainAudit
  readonly #orders: OrderAudit
  readonly #bots: BotAudit
  readonly #halts: HaltAudit
  readonly #machines: MachineAudit
  readonly #credits: CreditsAudit
  readonly #platform: PlatformAudit | undefined
  #violation: Violation | null = null

  constructor(parts: AuditorParts) {
    const report: Report = (invariant, detail) => this.report(invariant, detail)
    this.#parts = parts
    this.#platform = parts.platform?.(report)
    this.#world = new WorldRecord(report)
    this.#ledger = new LedgerAudit(report)
    this.#chain = new ChainAudit(parts.link, report)
    const halts = new HaltAudit({ ...parts, report })
    this.#halts = halts
    const bots = new BotAudit({
      ...parts,
      report,
      order: (orderId) => this.#orders.order(orderId),
      isHalted: (companyId) => halts.isHalted(companyId)
    })
    this.#bots = bots
    this.#credits = new CreditsAudit({ report, bot: (botId) => bots.bot(botId), monthly: parts.monthlyCredits })
    const registered = new MachineAudit(report)
    this.#machines = registered
    const machines = {
      owners: (...[type, from, to]: Parameters<BotAudit["owners"]>) =>
        new Set([...parts.machineOwners, ...registered.owners(type, from, to), ...bots.owners(type, from, to)]),
      capable: (type: AssetType) => parts.machines + registered.capable(type) + bots.capable(type)
    }
    this.#orders = new OrderAudit({ ...parts, machines, bots, world: this.#world, report })
  }

  /** The first rule that did not hold. */
  get violation(): Violation | null {
    return this.#violation
  }

  readonly report: Report = (invariant, detail) => {
    this.#violation ??= { invariant, detail, seq: this.#chain.lastSeq, at: this.#parts.now() }
  }

  commit({ asked, settled }: Commit, account: (id: AccountId) => Omit<Account, "id">): void {
    this.#chain.commit(settled.recorded, settled.answers)
    let next = 0
    for (const { commands, isAccepted } of asked) {
      this.#ledger.entry(commands, isAccepted)
      const event = isAccepted ? settled.recorded[next++] : undefined
      if (event === undefined) continue
      const wire: Wire<PlatformEvent> = JSON.parse(event.data)
      this.#event(wire, commands)
      this.#platform?.event(event, wire, commands)
    }
    if (next !== settled.recorded.length) this.report("journal", "a commit records other events than it accepted")
    for (const id of this.#ledger.touched) {
      const held = this.#ledger.held(id)
      const expected = this.#orders.held(id) + (this.#platform?.held(id) ?? 0n)
      if (held !== expected) this.report("locked", `${id} has ${held} locked, not ${expected}`)
      this.#compare(id, account(id))
    }
    this.#ledger.commit(settled.book.changedAccounts, account)
  }

  #event(event: Wire<PlatformEvent>, commands: ReadonlyArray<Command>): void {
    switch (event._tag) {
      case "CreditsGranted":
      case "CreditsLapsed":
      case "CreditsBought":
      case "CreditBudgetSet":
        return this.#credits.event(event)
      case "BotDecided":
        this.#bots.event(event, commands)
        return this.#credits.decided(event)
      case "BotCreated":
      case "BotChanged":
      case "BotStarted":
      case "BotPaused":
      case "BotResumed":
      case "BotSuspended":
      case "BotTerminated":
      case "BotFunded":
      case "BotWithdrawn":
      case "BotReturned":
      case "BotGuardSet":
        return this.#bots.event(event, commands)
      case "CommitmentHaltSet":
        return this.#halts.event(event)
      case "CommitmentSubmitted":
        this.#halts.committed(event.commitment.trader.owner, event.commitment.commitmentId)
        this.#machines.committed(event.commitment)
        return this.#orders.event(event, commands)
      case "MachineTraderRegistered":
      case "MachineTraderRetired":
        return this.#machines.event(event)
      case "VaultDepositsSet":
        return
      default:
        return this.#orders.event(event, commands)
    }
  }

  /** What the events of bots and of credits make of an account. */
  #compare(id: AccountId, { balance, closed }: Omit<Account, "id">): void {
    const credits = this.#credits.balance(id)
    if (credits !== undefined && credits !== balance) this.report("credits", `${id} has ${balance}, not ${credits}`)
    const allowance = this.#bots.allowance(id)
    if (allowance === undefined) return
    if (allowance.balance !== balance) {
      this.report("loss_limit", `${id} has ${balance} left, not ${allowance.balance}`)
    }
    if (allowance.closed !== closed) this.report("bot_active", `${id} is ${closed ? "closed" : "open"}`)
  }

  /** The tables got events. */
  projected(events: ReadonlyArray<KeptEvent>): void {
    this.#chain.projected(events)
    this.#platform?.projected(events)
  }

  /** An order ended so long ago that nobody asks for it any more; `actor` is what is in memory of it, if anything. */
  retire(orderId: string, actor: OrderState | undefined): void {
    if (actor !== undefined) this.#orders.actor(actor)
    this.#orders.retire(orderId)
    this.#world.retire(orderId)
  }

  priced(recorded: ReadonlyArray<Median>): void {
    this.#world.priced(recorded)
  }

  turned(transitions: ReadonlyArray<Transition>): void {
    this.#world.turned(transitions)
  }

  quoted(orderId: string, median: Median): void {
    this.#world.quoted(orderId, median)
  }

  looked(orderId: string, asset: string): void {
    this.#world.looked(orderId, asset)
    this.#orders.looked(orderId)
  }

  asked(item: Asked): void {
    this.#bots.asked(item)
  }

  /** A process ended with everything in memory. */
  restarted(): void {
    this.#halts.restarted()
  }

  /** Somebody asks for all bots of a company to be paused; answers what to call once that is answered. */
  pausing(companyId: string): () => void {
    return this.#bots.pausing(companyId)
  }

  acknowledged(recorded: Pick<Recorded<object>, "seq" | "stream" | "hash">): void {
    this.#chain.acknowledged(recorded)
  }

  refused(key: string): void {
    this.#chain.refused(key)
  }

  /** What must hold when everything has come to rest: of the whole journal, and of each actor in memory. */
  end(journal: SimulatedJournal, actors: Iterable<OrderState>, platform?: EndedPlatform): void {
    this.#chain.end(journal.events)
    this.#ledger.end(journal.accounts.values())
    this.#orders.end()
    this.#halts.end()
    this.#bots.end((botId) => journal.account(walletOf(botId, "USD")).balance)
    for (const state of actors) this.#orders.actor(state)
    if (platform !== undefined) this.#platform?.end(platform)
  }
}
