import { Cause, Effect } from "effect"
import type { Batch, Recorded } from "../../actor/Journal.ts"
import type { ChainedEvent } from "../../actor/CommitGroup.ts"
import type { DeskView } from "../../fx/DeskPrices.ts"
import { type AccountId, accountParts } from "../../ledger/Account.ts"
import { capital, mint } from "../../ledger/Funding.ts"
import { type Amount, fromUnits, ONE } from "../../money/Amount.ts"
import type { PaymentProvider } from "../../payments/PaymentProvider.ts"
import { walletProvider } from "../../payments/WalletProvider.ts"
import type { PlatformEvent } from "../../replay/PlatformEvent.ts"
import { deskOf } from "../../transfers/TransferDecision.ts"
import { isRefusal } from "../../wire/Refusal.ts"
import type { FaultBoard } from "../FaultBoard.ts"
import { cutOffJournal } from "../FaultyJournal.ts"
import { SeededRandom } from "../SeededRandom.ts"
import type { SimulatedJournal } from "../SimulatedJournal.ts"
import { isOfTheWorld } from "../SimulatedReconciler.ts"
import type { VirtualClock } from "../VirtualClock.ts"
import type { Fork } from "../VirtualScheduler.ts"
import { CardNetwork } from "./CardNetwork.ts"
import { type CompanyPlan, type CompanyRequest, CURRENCIES, type TimeAdvance } from "./CompanyPlan.ts"
import { CreditDesk } from "./CreditDesk.ts"
import { type Caller, counted, type DeskWorld, type Served, type WriteEntry, writingTo } from "./DeskWorld.ts"
import { PaymentDesk } from "./PaymentDesk.ts"
import { PlatformProjection } from "./PlatformProjection.ts"
import { nameOfRefusal } from "./RefusalCatalogue.ts"
import { SubscriptionDesk } from "./SubscriptionDesk.ts"
import { TradeDesk } from "./TradeDesk.ts"
import { TransferDesk } from "./TransferDesk.ts"
import { WebhookDesk, type WebhookDeskParts } from "./WebhookDesk.ts"
import { WebhookReceivers } from "./WebhookReceivers.ts"
import type { EndedWebhooks } from "./DeliveryAudit.ts"

/** Faults of their own, to see that the auditors find them. */
export interface PlantedCompanies {
  readonly write?: (write: WriteEntry) => WriteEntry
  readonly cards?: (cards: PaymentProvider) => PaymentProvider
  readonly deliveries?: WebhookDeskParts["planted"]
}

export interface CompanyDesksParts {
  readonly clock: VirtualClock
  readonly board: FaultBoard
  readonly journal: SimulatedJournal
  readonly fork: Fork
  readonly seed: number
  readonly companies: ReadonlyArray<CompanyPlan>
  /** How far, and when, an administrator sets the platform's time forward. */
  readonly advances: ReadonlyArray<TimeAdvance>
  readonly view: DeskView
  /** Hears of what cannot be. */
  readonly report: (invariant: string, detail: string) => void
  readonly planted?: PlantedCompanies | undefined
}

/** One request on its way, and how often it was sent again. */
interface Message {
  readonly id: string
  readonly company: CompanyPlan
  readonly request: CompanyRequest
  readonly attempt: number
}

/** Times a request is sent again where it was not answered, and the wait before each in milliseconds. */
const RETRIES = [100, 400, 1_600, 6_400] as const

/** How often what is due is looked for. */
const ROUND_MILLIS = 1_000

/** How far the time is set forward at once, and the pause before it is set forward again, in milliseconds. */
const ADVANCE_STEP = 72_000_000
const ADVANCE_PAUSE = 1_500

/** What the exchange desk has of each currency; of one it has so little that it runs out. */
const DESK_UNITS: Readonly<Record<(typeof CURRENCIES)[number], bigint>> = {
  USD: 2_000_000n,
  EUR: 2_000_000n,
  GBP: 2_000n,
  JPY: 200_000_000n
}

/** Events after which a user may have repaid above its limit. */
const FREEING: ReadonlySet<string> = new Set(["PurchaseOrderPaid", "PurchaseOrderCancelled"])

const whole = (units: bigint): Amount => fromUnits(units * ONE)

/**
 * The companies of a world: what they ask over an unreliable network, and what comes due by itself. Whoever gets no
 * answer asks again under the same key, of whichever process then runs.
 */
export class CompanyDesks {
  readonly answers = new Map<string, number>()
  readonly projection = new PlatformProjection()
  readonly cards: CardNetwork
  readonly payments: PaymentDesk
  readonly #parts: CompanyDesksParts
  readonly #trade: TradeDesk
  readonly #credit: CreditDesk
  readonly #transfers: TransferDesk
  readonly #subscriptions: SubscriptionDesk
  readonly #webhooks: WebhookDesk
  readonly #receivers: WebhookReceivers
  #running = new Map<string, Message>()
  #made = 0

  constructor(parts: CompanyDesksParts) {
    const { journal, planted, seed, view } = parts
    const write = writingTo({ append: cutOffJournal(parts.board, journal).append, answers: journal.answers })
    const world: DeskWorld = {
      projection: this.projection,
      account: (id) => journal.account(id),
      write: planted?.write?.(write) ?? write,
      newId: (prefix) => `${prefix}_${++this.#made}`
    }
    this.#parts = parts
    this.cards = new CardNetwork(new SeededRandom(seed, "cards"))
    this.#credit = new CreditDesk(world)
    this.#trade = new TradeDesk(world, this.#credit.trim)
    const cards = planted?.cards?.(this.cards) ?? this.cards
    const fateOf = (paymentId: string) => this.cards.charges.get(paymentId)?.fate
    this.payments = new PaymentDesk({ world, trade: this.#trade, wallet: walletProvider, cards, fateOf })
    this.#transfers = new TransferDesk(world, view)
    this.#subscriptions = new SubscriptionDesk(world)
    this.#receivers = new WebhookReceivers(seed)
    this.#webhooks = new WebhookDesk({
      ...parts,
      world,
      receivers: this.#receivers,
      planted: planted?.deliveries
    })
  }

  /** What of the webhooks is judged at the end. */
  get webhooks(): EndedWebhooks {
    return { journal: this.#parts.journal, deliveries: this.#webhooks.deliveries, receivers: this.#receivers }
  }

  /** What companies and the exchange desk have at the start. */
  opening(at: number): ReadonlyArray<Batch<PlatformEvent>> {
    const desks = CURRENCIES.map((asset) => capitalOf(deskOf(asset), whole(DESK_UNITS[asset]), at))
    const wallets = this.#parts.companies.flatMap(({ funds, userId }) =>
      funds.map(({ amount, asset }) => mintedTo(userId, asset, amount, at))
    )
    return [...desks, ...wallets]
  }

  /** Puts what is asked on its way, and begins to look for what is due. */
  plan(): void {
    const { advances, board, clock, companies } = this.#parts
    for (const company of companies) {
      for (const { at, id, request } of company.requests) {
        clock.schedule(at, () => {
          const arrival = clock.elapsed + board.messageDelay()
          const again = board.duplicateAfter()
          const arrives = (when: number, copy: string): void => {
            const message = { id: `${id}/${copy}`, company, request, attempt: 0 }
            clock.schedule(when, () => this.#receive(message, id))
          }
          arrives(arrival, "first")
          if (again !== undefined) arrives(arrival + again, "again")
        })
      }
    }
    for (const { at, by } of advances) clock.schedule(at, () => this.#advance(by))
    this.#webhooks.start()
    clock.schedule(ROUND_MILLIS, () => this.#round())
  }

  /**
   * Sets the platform's time forward by some hours after another, each at a moment at which no request is served. A request
   * that was not answered and waits to be sent again is none: it may come after the time was set forward, under its key.
   */
  #advance(left: number): void {
    const { clock } = this.#parts
    const isQuiet = this.#running.size === 0
    if (isQuiet) clock.jump(Math.min(left, ADVANCE_STEP))
    const rest = isQuiet ? left - ADVANCE_STEP : left
    if (rest > 0) clock.schedule(clock.elapsed + ADVANCE_PAUSE, () => this.#advance(rest))
  }

  /** The end of a process: whoever waits for an answer sees the connection close, and asks the next process. */
  restart(): void {
    const { clock, fork, journal } = this.#parts
    const running = this.#running
    this.#running = new Map()
    this.payments.restart()
    this.#webhooks.start()
    for (const message of running.values()) {
      clock.schedule(clock.elapsed + RETRIES[0], () => this.#receive(message, keyOf(message)))
    }
    fork(
      Effect.andThen(
        journal.served,
        Effect.sync(() => this.#trim())
      )
    )
  }

  /** Whether something goes on by itself before long. */
  get isOwing(): boolean {
    const isDue = this.#subscriptions.due(this.now).length > 0 || this.#trade.due(this.now).length > 0
    return this.payments.isOwing || this.#webhooks.isOwing || isDue
  }

  /** What the clock shows, in milliseconds since 1970. */
  get now(): number {
    return this.#parts.clock.currentTimeMillisUnsafe()
  }

  committed(recorded: ReadonlyArray<ChainedEvent<PlatformEvent>>): void {
    this.projection.apply(recorded)
    this.payments.committed(recorded.map(({ event }) => event))
  }

  /** The process hears what it wrote. */
  hear(recorded: ReadonlyArray<Recorded<PlatformEvent>>): void {
    const events = recorded.map(({ event }) => event)
    const now = this.#parts.clock.currentTimeMillisUnsafe()
    this.#webhooks.hear(events, now)
    if (events.some(({ _tag }) => FREEING.has(_tag))) this.#trim()
  }

  #trim(): void {
    for (const company of this.#parts.companies) {
      if (this.#credit.isOverhanging(company)) this.#byItself(this.#credit.trim(company))
    }
  }

  #round(): void {
    const { clock, journal } = this.#parts
    if (journal.isServing) this.#look(clock.currentTimeMillisUnsafe())
    clock.schedule(clock.elapsed + ROUND_MILLIS, () => this.#round())
  }

  #look(now: number): void {
    for (const paymentId of this.payments.due(now)) this.#byItself(this.payments.resume(paymentId))
    this.#webhooks.round(now)
    for (const id of this.#subscriptions.due(now)) this.#byItself(this.#subscriptions.step(id))
    for (const id of this.#trade.due(now)) this.#byItself(this.#trade.step(id))
  }

  /** What fails for a reason of the world's comes due again; anything else is a defect of the program. */
  #byItself<E extends { readonly _tag: string }>(effect: Effect.Effect<void, E>): void {
    this.#parts.fork(
      effect.pipe(
        Effect.catch((failure) =>
          failure._tag === "JournalUnavailable" || failure._tag === "StaleVersion" ? Effect.void : Effect.die(failure)
        )
      )
    )
  }

  #receive(message: Message, key: string): void {
    const running = this.#running
    const { attempt, id } = message
    running.set(id, message)
    // Nobody hears what a process answers after its end.
    const heard = (): boolean => running === this.#running && running.delete(id)
    this.#parts.fork(
      Effect.matchCauseEffect(this.#served(message, key), {
        onSuccess: (answer) => Effect.sync(() => void (heard() && this.#count(answer))),
        onFailure: (cause) => {
          const [reason] = cause.reasons
          const error = reason !== undefined && Cause.isFailReason(reason) ? reason.error : undefined
          if (isRefusal(error)) return Effect.sync(() => void (heard() && this.#count(nameOfRefusal(error))))
          if (!cause.reasons.every(isOfTheWorld) || !isUnanswered(error)) {
            return Effect.failCause(cause)
          }
          return Effect.sync(() => void (heard() && this.#again(message, key, attempt)))
        }
      })
    )
  }

  #again(message: Message, key: string, attempt: number): void {
    const { clock } = this.#parts
    const pause = RETRIES[attempt]
    this.#count("Unanswered")
    if (pause === undefined) return
    clock.schedule(clock.elapsed + pause, () => this.#receive({ ...message, attempt: attempt + 1 }, key))
  }

  #count(answer: string): void {
    this.answers.set(answer, (this.answers.get(answer) ?? 0) + 1)
  }

  #served({ company, request }: Message, key: string): Served {
    if (this.#parts.journal.answers.has(key)) return Effect.succeed("Replayed")
    const times = "times" in request ? request.times : 1
    if (times === 1) return this.#serve(company, request, key)
    const each = Array.from({ length: times }, (_, number) => this.#serve(company, request, `${key}/${number}`))
    return Effect.as(Effect.all(each, { discard: true }), `${request.act}_many`)
  }

  #serve(company: CompanyPlan, request: CompanyRequest, key: string): Served {
    const by: Caller = { companyId: company.companyId, userId: company.userId }
    switch (request.act) {
      case "list":
        return this.#trade.list(by, request, key)
      case "revise":
        return this.#trade.revise(by, request, key)
      case "order":
        return this.#trade.order(by, request, key)
      case "payOrder":
        return this.#trade.payOrder(by, request, key)
      case "fulfil":
        return this.#trade.fulfil(by, request, key)
      case "cancelOrder":
        return this.#trade.cancel(by, request, key)
      case "pay":
        return this.payments.pay(by, request, key)
      case "capture":
      case "void":
        return this.payments.conclude(by, { ...request, act: request.act }, key)
      case "refund":
        return this.payments.refund(by, request, key)
      case "assess":
        return this.#credit.assess(by, request, key)
      case "transfer":
        return this.#transfers.transfer(by, this.#userNamed(request.to), request, key)
      case "quote":
        return this.#transfers.quote(by, request, key)
      case "withdraw":
        return this.#transfers.withdraw(by, request, key)
      case "webhook":
        return this.#webhooks.serve(by, request, key)
      case "subscribe":
        return this.#subscriptions.subscribe(by, request, key)
      case "renew":
        return this.#subscriptions.renew(by, request, key)
      case "cancelSubscription":
        return this.#subscriptions.cancel(by, request, key)
    }
  }

  #userNamed(number: number): string {
    return counted(this.#parts.companies, number)?.userId ?? ""
  }
}

/** What a message asks for has one key, however often it arrives. */
const keyOf = ({ id }: Message): string => id.slice(0, id.lastIndexOf("/"))

/** Whether nobody knows what became of a request. */
const isUnanswered = (error: unknown): boolean =>
  typeof error === "object" &&
  error !== null &&
  "_tag" in error &&
  (error._tag === "JournalUnavailable" || error._tag === "StaleVersion")

const capitalOf = (account: AccountId, amount: Amount, at: number): Batch<PlatformEvent> => ({
  stream: `capital/${account}`,
  version: 0,
  entries: [
    {
      commands: [capital(account, amount, "opening")],
      event: { _tag: "CapitalFunded", at, account, asset: accountParts(account).asset, amount }
    }
  ]
})

const mintedTo = (owner: string, asset: string, amount: Amount, at: number): Batch<PlatformEvent> => {
  const posting = { id: `starting/${owner}/${asset}`, limited: false }
  return {
    stream: posting.id,
    version: 0,
    entries: [
      {
        commands: [mint({ id: posting.id, owner, asset, amount })],
        event: { _tag: "FundsMinted", at, fundId: posting.id, owner, asset, amount, externalReference: null, posting }
      }
    ]
  }
}
