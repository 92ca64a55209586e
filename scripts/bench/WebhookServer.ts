/** The program's services in a process, which record events and deliver webhooks when they are told to. */
import { Cause, Clock, Context, Effect, Fiber, Layer, References, Scope } from "effect"
import type { CompanyUpdated } from "../../engine/company/CompanyEvent.ts"
import { companyStream } from "../../engine/company/CompanyEvent.ts"
import * as App from "../../src/App.ts"
import { Settings } from "../../src/Config.ts"
import { UnitOfWork } from "../../src/database/UnitOfWork.ts"
import { Companies } from "../../src/identity/companies/Companies.ts"
import { Users } from "../../src/identity/users/Users.ts"
import { DeliveryTimes } from "../../src/webhooks/DeliveryTimes.ts"
import { DeliveryDispatcher } from "../../src/webhooks/DeliveryDispatcher.ts"
import { OutboxReader } from "../../src/webhooks/OutboxReader.ts"
import { Webhooks } from "../../src/webhooks/Webhooks.ts"
import { serve } from "./Worker.ts"

/** Starts on a database, with companies that have a webhook for each URL. */
export interface StartWebhooks {
  readonly kind: "start"
  readonly variables: Readonly<Record<string, string>>
  readonly companies: number
  readonly urls: ReadonlyArray<string>
}

/** Records so many events of one company. */
export interface HappenPlan {
  readonly kind: "happen"
  readonly company: number
  readonly events: number
}

/** Tells and delivers from now on, or no longer. */
export interface DeliverPlan {
  readonly kind: "deliver" | "rest"
}

export type WebhookServerPlan = StartWebhooks | HappenPlan | DeliverPlan

const application = ({ variables }: StartWebhooks) =>
  App.services.pipe(
    Layer.provideMerge(App.oracles),
    Layer.provideMerge(App.database),
    Layer.provideMerge(Settings.layerOf(variables)),
    Layer.provideMerge(Layer.succeed(References.MinimumLogLevel, "Error"))
  )

type Services = Layer.Success<ReturnType<typeof application>>

interface Company {
  readonly companyId: string
  readonly userId: string
  version: number
}

const state: {
  context: Context.Context<Services> | undefined
  companies: Array<Company>
  delivering: Fiber.Fiber<unknown, unknown> | undefined
} = { context: undefined, companies: [], delivering: undefined }

const makeCompany = Effect.fnUntraced(function* (index: number, urls: ReadonlyArray<string>) {
  const label = `bench-${index}`
  const { companyId, id: userId } = yield* (yield* Users).createHouse({ companyName: label, label, kind: "house" })
  const actor = { userId, companyId, isAdmin: true, scopes: [], requestId: undefined }
  yield* (yield* Companies).setPlan(actor, companyId, "enterprise")
  const { create } = yield* Webhooks
  for (const url of urls) yield* create(actor, { url, events: ["company.updated"], description: null })
  return { companyId, userId, version: 1 }
})

const start = Effect.fnUntraced(function* (plan: StartWebhooks) {
  const context = yield* Layer.buildWithScope(application(plan), yield* Scope.make())
  state.context = context
  for (let index = 0; index < plan.companies; index++) {
    state.companies.push(yield* Effect.provideContext(makeCompany(index, plan.urls), context))
  }
  yield* Effect.provideContext(
    Effect.flatMap(OutboxReader, ({ catchUp }) => catchUp),
    context
  )
})

const profile = (name: string) => ({ name, taxId: null, email: null, phone: null, country: null, address: null })

const happenTo = Effect.fnUntraced(function* (company: Company, events: number) {
  const { companyId, userId } = company
  const at = yield* Clock.currentTimeMillis
  const by = { userId, requestId: null, administers: false }
  const entries = Array.from({ length: events }, (_, index) => {
    const [before, after] = [profile(`Company ${index}`), profile(`Company ${index + 1}`)]
    const company = { profile: after, plan: "enterprise" as const, managedBy: null, createdAt: at, verifiedAt: null }
    const event: CompanyUpdated = { _tag: "CompanyUpdated", at, by, companyId, before, after, company }
    return { commands: [], event }
  })
  yield* (yield* UnitOfWork).append({ stream: companyStream(companyId), version: company.version, entries })
  company.version += events
})

const deliver = Effect.gen(function* () {
  const { called, catchUp } = yield* OutboxReader
  const { round } = yield* DeliveryDispatcher
  const { due } = yield* DeliveryTimes
  const telling = Effect.andThen(catchUp, Effect.forever(Effect.andThen(called, catchUp)))
  yield* Effect.all([telling, Effect.forever(Effect.andThen(due, round))], { concurrency: 2 })
}).pipe(
  Effect.tapCause((cause) => (Cause.hasInterrupts(cause) ? Effect.void : Effect.logError("Delivering broke", cause)))
)

const run = Effect.fnUntraced(function* (plan: WebhookServerPlan) {
  if (plan.kind === "start") return yield* start(plan)
  const { companies, context, delivering } = state
  if (context === undefined) return yield* Effect.die(new Error("not started"))
  if (plan.kind === "happen") {
    const company = companies[plan.company]
    if (company === undefined) return yield* Effect.die(new Error(`no company ${plan.company}`))
    return yield* Effect.provideContext(happenTo(company, plan.events), context)
  }
  if (delivering !== undefined) yield* Fiber.interrupt(delivering)
  state.delivering =
    plan.kind === "rest" ? undefined : yield* Effect.forkDetach(Effect.provideContext(deliver, context))
})

serve((plan: WebhookServerPlan): Promise<void> => Effect.runPromise(Effect.orDie(run(plan))))
