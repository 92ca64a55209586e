/** The steps that scenarios are made of: who takes part, and what they do. */

import { Effect } from "effect"
import { standardPlatform } from "../../../packages/client/src/ClientPlatform.ts"
import type { CredentialOptions } from "../../../packages/client/src/Credentials.ts"
import type { RequestOf, ResponseOf } from "../../../packages/client/src/Operation.ts"
import { isoUtc } from "../../api/Timestamp.ts"
import { CommandFailed } from "../CommandFailed.ts"
import type { TriggerParty } from "./TriggerParty.ts"

/** What everything that a scenario makes is called. */
export const NAME = "Made by emporion trigger"

/** What it keeps with that. */
const METADATA = { made_by: "emporion trigger" }

/** What scenarios have to work with. */
export interface TriggerWorld {
  /** The caller's API client, whose company is to hear of the event. */
  readonly caller: TriggerParty
  readonly me: ResponseOf<"GET /api/v1/users/me">
  /** Somebody else, such as a newcomer. */
  readonly party: (name: string, credentials?: CredentialOptions) => TriggerParty
  /** Signs an administrator in, to do what nobody else may. */
  readonly administrator: (act: string) => Effect.Effect<TriggerParty, CommandFailed>
  /** Where an example is to be posted, if that is named. */
  readonly endpoint: URL | undefined
  readonly tell: (line: string) => Effect.Effect<void>
}

/** What a throwaway seller sells. */
export interface Offer {
  readonly seller: TriggerParty
  readonly productId: string
}

/** USD for one piece. */
const PRICE = 10

/** How long the provider of a payment may take, in seconds. */
const PROVIDER_LIMIT = 60

/** Registers a seller that nobody needs afterwards. Nobody knows its password. */
const seller = Effect.fnUntraced(function* ({ party }: TriggerWorld) {
  const { uuid } = standardPlatform()
  const [email, password] = [`trigger-${uuid()}@emporion.invalid`, uuid()]
  const newcomer = party("seller")
  yield* newcomer.ask("POST /api/v1/auth/register", { body: { email, password, company_name: `${NAME}: seller` } })
  const { access_token: token } = yield* newcomer.ask("POST /api/v1/auth/login", { body: { email, password } })
  return party("seller", { token })
})

/** A throwaway seller with a product. */
export const offer = Effect.fnUntraced(function* (world: TriggerWorld, price = PRICE) {
  const from = yield* seller(world)
  const { id } = yield* from.ask("POST /v1/commerce/products", {
    body: { name: NAME, description: NAME, price, quantity: "10" }
  })
  return { seller: from, productId: id } satisfies Offer
})

/** Orders a piece of each offer. */
export const order = ({ caller, me }: TriggerWorld, offers: ReadonlyArray<Offer>) =>
  caller.ask("POST /v1/orders", {
    body: {
      company_id: me.company_id,
      items: offers.map(({ productId }) => ({ product_id: productId, quantity: 1 })),
      payment_terms: { type: "prepaid" },
      metadata: METADATA
    }
  })

const DOCUMENTS = {
  fullnames: NAME,
  address: "1 Market Square, 9000 Ghent",
  country: "BE",
  email: "trigger@emporion.invalid",
  phoneNumber: "+32 470 00 00 00",
  identityId: "TRIGGER-0000-0000"
}

/** Sees to it that the caller may send money: one who awaits KYC is verified, on a record of its own or a made-up one. */
const verified = Effect.fnUntraced(function* ({ administrator, caller, me }: TriggerWorld) {
  if (me.status !== "pending_kyc") return
  const admin = yield* administrator("The account awaits KYC, and has to be verified before it can pay, which")
  const records = yield* caller.ask("GET /v1/kyc", {})
  const open = records.find(({ status }) => status === "pending")
  const { id } = open ?? (yield* caller.ask("POST /v1/kyc", { body: DOCUMENTS }))
  yield* admin.ask("PUT /v1/kyc/{id}/verify", { path: { id } })
})

/** Test cards that docs/concepts/payments.md lists. */
const CARDS = { approve: "4242424242424242", decline: "4000000000000002" } as const

interface Payment {
  /** Which of the test cards. */
  readonly card: keyof typeof CARDS
  readonly capture: "automatic" | "manual"
  /** What is to become of it. */
  readonly status: ResponseOf<"POST /v1/payments">["status"]
}

/** Pays an order by a test card. */
export const pay = Effect.fnUntraced(function* (world: TriggerWorld, orderId: string, payment: Payment) {
  yield* verified(world)
  const { caller } = world
  const { capture, card, status } = payment
  const begun = yield* caller.ask("POST /v1/payments", {
    body: { order_id: orderId, provider: "sandbox-card", instrument: CARDS[card], capture, metadata: METADATA }
  })
  const isDone = (one: typeof begun): boolean =>
    one.status !== "processing" && (one.status !== "captured" || one.applied > 0)
  const done = isDone(begun)
    ? begun
    : yield* caller.until("GET /v1/payments/{id}", { path: { id: begun.id } }, isDone, PROVIDER_LIMIT)
  if (done.status === status) return done
  const why = done.failure === null ? "" : ` (${done.failure})`
  return yield* new CommandFailed({ message: `The payment ${done.id} is ${done.status}${why}, not ${status}.` })
})

/** An order that the caller has paid. */
export const paidOrder = Effect.fnUntraced(function* (world: TriggerWorld, offers: ReadonlyArray<Offer>) {
  const placed = yield* order(world, offers)
  const payment = yield* pay(world, placed.id, { card: "approve", capture: "automatic", status: "captured" })
  return { order: placed, payment }
})

/** Gives a payment back, by cancelling its order. */
export const refunded = Effect.fnUntraced(function* ({ caller }: TriggerWorld, orderId: string, id: string) {
  yield* caller.ask("POST /v1/orders/{id}/cancel", { path: { id: orderId }, body: { reason: NAME } })
  const isBack = ({ status }: ResponseOf<"GET /v1/payments/{id}">): boolean => status === "refunded"
  return yield* caller.until("GET /v1/payments/{id}", { path: { id } }, isBack, PROVIDER_LIMIT)
})

/** Adds to the caller's USD what so many pieces cost. */
export const money = ({ caller, me }: TriggerWorld, pieces: number) =>
  caller.ask("POST /v1/funds", { body: { owner: me.id, type: "USD", symbol: String(pieces * PRICE) } })

type Subscription = Pick<RequestOf<"POST /v1/subscriptions">["body"], "periods" | "start">

/** Subscribes to a piece of an offer each year. */
export const subscribe = Effect.fnUntraced(function* (world: TriggerWorld, { productId }: Offer, more: Subscription) {
  yield* verified(world)
  const { caller, me } = world
  return yield* caller.ask("POST /v1/subscriptions", {
    body: {
      company_id: me.company_id,
      product_id: productId,
      quantity: 1,
      interval: "year",
      metadata: METADATA,
      ...more
    }
  })
})

/** A time so many seconds from the server's present. */
export const timeAhead = ({ caller }: TriggerWorld, seconds: number) =>
  Effect.map(caller.ask("GET /v1/info", {}), ({ time }) => isoUtc(Date.parse(time) + seconds * 1_000))

/** A company that the caller's manages. */
export const managedCompany = ({ caller }: TriggerWorld) => caller.ask("POST /v1/companies", { body: { name: NAME } })

/** Has the caller scored for a credit of so many USD, with an income that allows it. */
export const score = ({ caller }: TriggerWorld, loanAmt: number) =>
  caller.ask("POST /v1/credit/request", {
    body: {
      annualIncome: 200_000,
      homeOwnership: true,
      empLength: "10+ years",
      loanAmt,
      purpose: "education",
      desc: NAME
    }
  })
