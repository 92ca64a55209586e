import { expect } from "bun:test"
import { Clock, Context, Effect, Exit, FiberSet, Layer, Scope } from "effect"
import { TestClock } from "effect/testing"
import fc from "fast-check"
import type { Recorded } from "../../engine/actor/Journal.ts"
import type { PlatformEvent } from "../../engine/replay/PlatformEvent.ts"
import { created, type DeliveryState } from "../../engine/webhooks/Delivery.ts"
import { type DueDelivery, MAX_SENDING } from "../../engine/webhooks/EndpointActor.ts"
import type { CommitListener } from "../../engine/journal/GroupWriter.ts"
import { UnitOfWork } from "../../src/database/UnitOfWork.ts"
import { PersonalText } from "../../src/identity/secrets/PersonalText.ts"
import { DeliveryActors } from "../../src/webhooks/DeliveryActors.ts"
import { WakeSignal } from "../../src/webhooks/WakeSignal.ts"
import { DeliveryRepository, type KeptRecord } from "../../src/webhooks/DeliveryRepository.ts"
import { DeliveryTimes } from "../../src/webhooks/DeliveryTimes.ts"
import { DeliveryDispatcher } from "../../src/webhooks/DeliveryDispatcher.ts"
import { DeliveryWriter } from "../../src/webhooks/DeliveryWriter.ts"
import { Endpoints } from "../../src/webhooks/Endpoints.ts"
import { type SendOutcome, WebhookSender } from "../../src/webhooks/WebhookSender.ts"
import { DeliveryOracle } from "./DeliveryOracle.ts"
import { NO_ACCOUNTS } from "./NoAccounts.ts"
import { quiet } from "./Quiet.ts"

/** Milliseconds after which a receiver that has not answered is given up. */
const GIVEN_UP = 5_000

/** The last action of a schedule, and long enough after it for all attempts of a round, in milliseconds. */
const LAST = 900_000
const END = LAST + 900_000

/** How a receiver meets an attempt: with a status, after so many milliseconds; it hangs from 5,000 on. */
interface Meeting {
  readonly status: number
  readonly after: number
}

/** Nothing is sealed in the bodies here. */
const unsealed = Layer.mock(PersonalText, { openIn: Effect.succeed, sealerNow: () => undefined })

type Action =
  | {
      readonly _tag: "Deliver"
      readonly at: number
      readonly webhookId: string
      /** Whether those who send are told of it, or only that something is due. */
      readonly isTold: boolean
      readonly meetings: ReadonlyArray<Meeting>
    }
  /** The program is gone, for so long. */
  | { readonly _tag: "Kill"; readonly at: number; readonly downFor: number }
  /** Its owner disables a webhook, and enables it again. */
  | { readonly _tag: "Disable"; readonly at: number; readonly webhookId: string; readonly offFor: number }
  /** Somebody retries by hand all that failed. */
  | { readonly _tag: "Retry"; readonly at: number; readonly webhookId: string }

interface Schedule {
  readonly actions: ReadonlyArray<Action>
  /** How long the database takes to read and to write, in milliseconds. */
  readonly readFor: number
  readonly writeFor: number
}

const webhookIds = ["whk_a", "whk_b", "whk_c"] as const
const webhookId = fc.constantFrom(...webhookIds)
const after = fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 4_999 }), fc.constant(60_000))
const status = fc.oneof(fc.constant(500), fc.constantFrom(200, 204, 301, 404, 500, 503))
const time = fc.oneof(fc.integer({ min: 0, max: 40_000 }), fc.integer({ min: 0, max: LAST }))
const sometimes = (actions: fc.Arbitrary<Action>) => fc.array(actions, { maxLength: 3 })

const delivery: fc.Arbitrary<Action> = fc.record({
  _tag: fc.constant("Deliver" as const),
  at: time,
  webhookId,
  isTold: fc.boolean(),
  meetings: fc.array(fc.record({ status, after }), { maxLength: 6, size: "max" })
})

/** Many at one endpoint at the same moment, all of which it leaves hanging. */
const burst: fc.Arbitrary<ReadonlyArray<Action>> = fc
  .tuple(fc.integer({ min: 0, max: MAX_SENDING - 40 }), time, fc.integer({ min: 0, max: 5 }))
  .map(([count, at, hangs]) =>
    Array.from({ length: count }, (): Action => ({
      _tag: "Deliver",
      at,
      webhookId: "whk_a",
      isTold: true,
      meetings: Array.from({ length: hangs }, () => ({ status: 200, after: GIVEN_UP }))
    }))
  )

const schedules: fc.Arbitrary<Schedule> = fc.record({
  actions: fc
    .tuple(
      fc.array(delivery, { minLength: 1, maxLength: 40, size: "max" }),
      fc.oneof({ weight: 4, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: burst }),
      sometimes(
        fc.record({ _tag: fc.constant("Kill" as const), at: time, downFor: fc.integer({ min: 0, max: 60_000 }) })
      ),
      sometimes(
        fc.record({
          _tag: fc.constant("Disable" as const),
          at: time,
          webhookId,
          offFor: fc.integer({ min: 0, max: 60_000 })
        })
      ),
      sometimes(fc.record({ _tag: fc.constant("Retry" as const), at: time, webhookId }))
    )
    .map((parts) => parts.flat()),
  readFor: fc.integer({ min: 0, max: 50 }),
  writeFor: fc.integer({ min: 0, max: 50 })
})

interface Stored {
  readonly webhookId: string
  readonly eventSeq: number
  readonly meetings: ReadonlyArray<Meeting>
  /** Attempts that were made, each of which meets the next answer. */
  made: number
  round: number
  state: DeliveryState
}

interface Life {
  readonly scope: Scope.Closeable
  readonly times: DeliveryTimes["Service"]
  readonly wakeSignal: WakeSignal["Service"]
}

const changed = (webhookId: string, isOn: boolean, at: number): PlatformEvent => {
  const act = { webhookId, companyId: "cmp_a", userId: "usr_a", at }
  return isOn
    ? { _tag: "WebhookEnabled", ...act }
    : { _tag: "WebhookDisabled", cause: "requested", failingSince: null, ...act }
}

const recordedOf = (event: PlatformEvent): Recorded<PlatformEvent> => ({
  seq: 1,
  stream: "",
  version: 1,
  event,
  hash: ""
})

const SECRETS = { current: "whsec_c2VjcmV0", previous: [] } as const

/** What sends deliveries, as it ships, on a store in memory that outlives it; judged by the oracle. Needs a test's clock. */
class DeliverySchedules {
  readonly oracle = new DeliveryOracle()
  readonly #schedule: Schedule
  readonly #stored = new Map<string, Stored>()
  readonly #off = new Set<string>()
  #listeners: Array<CommitListener> = []
  #life: Life | undefined
  #now = 0

  constructor(schedule: Schedule) {
    this.#schedule = schedule
  }

  /** Runs a schedule to its end; answers what the oracle has to say. */
  static readonly run = (schedule: Schedule): Effect.Effect<DeliveryOracle> =>
    Effect.suspend(() => {
      const made = new DeliverySchedules(schedule)
      return Effect.as(made.#run, made.oracle)
    })

  readonly #run = Effect.gen({ self: this }, function* () {
    for (const id of webhookIds) this.oracle.enabled(id, 0)
    yield* this.#start
    const steps = this.#schedule.actions.flatMap((action) => this.#stepsOf(action))
    for (const { at, run } of steps.toSorted((one, other) => one.at - other.at)) {
      yield* this.#until(at)
      yield* run
    }
    yield* this.#until(END)
    this.oracle.settle(this.#now)
    yield* this.#kill
  })

  #stepsOf(action: Action): ReadonlyArray<{ readonly at: number; readonly run: Effect.Effect<void> }> {
    const { at } = action
    switch (action._tag) {
      case "Deliver":
        return [{ at, run: Effect.sync(() => this.#deliver(action)) }]
      case "Kill":
        return [
          { at, run: this.#kill },
          { at: at + action.downFor, run: this.#start }
        ]
      case "Disable":
        return [
          { at, run: Effect.sync(() => this.#switch(action.webhookId, false)) },
          { at: at + action.offFor, run: Effect.sync(() => this.#switch(action.webhookId, true)) }
        ]
      case "Retry":
        return [{ at, run: this.#retry(action.webhookId) }]
    }
  }

  #until(at: number): Effect.Effect<void> {
    return Effect.andThen(
      TestClock.adjust(Math.max(0, at - this.#now)),
      Effect.sync(() => {
        this.#now = Math.max(at, this.#now)
      })
    )
  }

  readonly #start = Effect.gen({ self: this }, function* () {
    if (this.#life !== undefined) return
    this.oracle.started(this.#now)
    const scope = yield* Scope.make()
    const layer = DeliveryDispatcher.running.pipe(
      Layer.provideMerge(DeliveryDispatcher.layer),
      Layer.provideMerge(DeliveryActors.layer),
      Layer.provideMerge(Layer.mergeAll(DeliveryTimes.layer, WakeSignal.layer, DeliveryWriter.layer)),
      Layer.provide(Layer.mergeAll(this.#repository, this.#endpoints, this.#journal, this.#sender, unsealed))
    )
    const context = yield* Layer.buildWithScope(layer, scope)
    this.#life = { scope, times: Context.get(context, DeliveryTimes), wakeSignal: Context.get(context, WakeSignal) }
  })

  readonly #kill = Effect.gen({ self: this }, function* () {
    const life = this.#life
    if (life === undefined) return
    this.#life = undefined
    this.#listeners = []
    this.oracle.killed()
    yield* Scope.close(life.scope, Exit.void)
  })

  #deliver({ isTold, meetings, webhookId: own }: Extract<Action, { readonly _tag: "Deliver" }>): void {
    const id = `whd_${this.#stored.size}`
    const eventSeq = this.#stored.size + 1
    this.#stored.set(id, { webhookId: own, eventSeq, meetings, made: 0, round: 1, state: created(this.#now) })
    this.oracle.due(id, own, this.#now)
    if (isTold) this.#life?.times.tell(own, [this.#dueOf(id)])
    else this.#life?.times.enter(own, this.#now)
  }

  #switch(id: string, isOn: boolean): void {
    if (isOn) {
      this.#off.delete(id)
      this.oracle.enabled(id, this.#now)
    } else {
      this.#off.add(id)
      this.oracle.disabled(id)
    }
    for (const listener of this.#listeners) listener([recordedOf(changed(id, isOn, this.#now))], NO_ACCOUNTS)
  }

  #retry(own: string): Effect.Effect<void> {
    return Effect.suspend(() => {
      if (this.#life === undefined || this.#off.has(own)) return Effect.void
      for (const [id, stored] of this.#stored) {
        if (stored.webhookId !== own || stored.state.status !== "failed") continue
        stored.state = created(this.#now)
        stored.round += 1
        this.oracle.due(id, own, this.#now)
      }
      return this.#life.wakeSignal.ring(own)
    })
  }

  #dueOf(deliveryId: string): DueDelivery {
    const { eventSeq = 0, round = 1, state } = this.#stored.get(deliveryId) ?? {}
    return { deliveryId, eventId: "evt_a", eventSeq, body: deliveryId, round, attempts: state?.attempts ?? 0 }
  }

  /** The pending ones of a webhook, the earliest due first. */
  #pending(own: string): ReadonlyArray<readonly [string, number]> {
    return [...this.#stored]
      .flatMap(([id, { state, webhookId: of }]) =>
        of === own && state.status === "pending" && state.dueAt !== null ? [[id, state.dueAt] as const] : []
      )
      .toSorted(([, one], [, other]) => one - other)
  }

  /** Answers after the database's while what was there before it. */
  #read<A>(read: () => A): Effect.Effect<A> {
    return Effect.suspend(() => Effect.as(Effect.sleep(this.#schedule.readFor), read()))
  }

  readonly #repository = Layer.mock(DeliveryRepository, {
    due: (own, now, except, limit) =>
      this.#read(() => {
        const pending = this.#pending(own)
        const due = pending.filter(([id, at]) => at <= now && !except.has(id)).slice(0, limit)
        return { deliveries: due.map(([id]) => this.#dueOf(id)), nextAt: pending.find(([, at]) => at > now)?.[1] }
      }),
    nextDue: Effect.suspend(() =>
      this.#read(() =>
        webhookIds.flatMap((id) => {
          const [first] = this.#off.has(id) ? [] : this.#pending(id)
          return first === undefined ? [] : [{ webhookId: id, at: first[1] }]
        })
      )
    ),
    record: (records) =>
      Effect.andThen(
        Effect.sleep(this.#schedule.writeFor),
        Effect.sync(() => records.forEach((record) => this.#keep(record)))
      )
  })

  #keep({ after: state, delivery: { attempts, deliveryId, round } }: KeptRecord): void {
    const stored = this.#stored.get(deliveryId)
    if (stored === undefined || stored.round !== round || stored.state.attempts !== attempts) return
    stored.state = state
    this.oracle.kept(deliveryId)
  }

  readonly #endpoints = Layer.mock(Endpoints, {
    find: (id) =>
      this.#read(() => ({
        webhookId: id,
        url: "https://example.com/",
        isEnabled: !this.#off.has(id),
        secrets: SECRETS,
        failingSince: null
      }))
  })

  readonly #journal = Layer.mock(UnitOfWork, {
    isCertain: () => true,
    tell: () => {},
    onCommit: (listener) => Effect.sync(() => void this.#listeners.push(listener))
  })

  /** Receivers, whose answers come for as long as the life lasts that asked. */
  readonly #sender = Layer.effect(
    WebhookSender,
    Effect.gen({ self: this }, function* () {
      const clock = yield* Clock.Clock
      const fork = yield* FiberSet.makeRuntime<never>()
      const begin = (id: string, done: (outcome: SendOutcome) => void): void => {
        const startedAt = clock.currentTimeMillisUnsafe()
        const { durationMs, status: answered } = this.#meet(id)
        this.oracle.begun(id, startedAt)
        const end = Effect.sync(() => {
          this.oracle.ended(id, startedAt + durationMs, answered)
          done({ startedAt, durationMs, status: answered, error: null, answer: "" })
        })
        fork(Effect.andThen(Effect.sleep(durationMs), end))
      }
      return WebhookSender.of({
        send: () => Effect.die(new Error("deliveries are begun")),
        begin: ({ body }, done) => {
          begin(body, done)
          return () => undefined
        }
      })
    })
  )

  /** How a delivery's receiver meets its next attempt. */
  #meet(id: string): { readonly status: number | null; readonly durationMs: number } {
    const stored = this.#stored.get(id)
    const meeting = stored?.meetings[stored.made] ?? { status: 200, after: 1 }
    if (stored !== undefined) stored.made += 1
    return meeting.after < GIVEN_UP
      ? { status: meeting.status, durationMs: meeting.after }
      : { status: null, durationMs: GIVEN_UP }
  }
}

/** Fails where, in so many random schedules, an attempt is early, more than a second late, made twice or forgotten. */
export const meetsTheTable = (count: number): Promise<void> =>
  fc.assert(
    fc.asyncProperty(schedules, async (schedule) => {
      const { faults, judged } = await Effect.runPromise(
        Effect.provide(DeliverySchedules.run(schedule), Layer.merge(TestClock.layer(), quiet))
      )
      expect(faults).toEqual([])
      expect(judged).toBeGreaterThan(0)
    }),
    { numRuns: count }
  )
