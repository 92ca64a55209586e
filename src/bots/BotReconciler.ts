import { Context, Effect, Layer } from "effect"
import { commitmentHaltStream } from "../../engine/arena/CommitmentHalt.ts"
import { type ReconciledBots, makeBotReconciling } from "../../engine/bots/BotReconciling.ts"
import { CommitmentHalts } from "../arena/CommitmentHalts.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import { UnitOfWork } from "../database/UnitOfWork.ts"
import type { Funds } from "../funds/Funds.ts"
import type { Owners } from "../identity/users/Owners.ts"
import { allotmentOf, ownerOf } from "./BotAllotment.ts"
import { BotRepository } from "./BotRepository.ts"
import { botStore, orUnavailable } from "./BotStore.ts"

/** Looks after bots while nobody asks: see {@link makeBotReconciling}. */
export class BotReconciler extends Context.Service<
  BotReconciler,
  {
    /** Does what there is to do. What fails stays to be done. */
    readonly round: Effect.Effect<void, Unavailable>
    /** Does what there is to do, for ever. */
    readonly forever: Effect.Effect<never>
  }
>()("emporion/bots/BotReconciler") {
  static readonly layer = Layer.effect(
    this,
    Effect.suspend(() => make)
  )

  /** Does what there is to do, for ever. */
  static readonly running = Layer.effectDiscard(Effect.flatMap(this, ({ forever }) => Effect.forkScoped(forever)))
}

type Services = BotRepository | CommitmentHalts | Funds | Owners | UnitOfWork

const makeWorld = Effect.gen(function* () {
  const repository = yield* BotRepository
  const halts = yield* CommitmentHalts
  const context = yield* Effect.context<Services>()
  const inside = Effect.provideContext(context)
  const world: ReconciledBots<Unavailable> = {
    find: repository.find,
    active: repository.active,
    guard: repository.guard,
    room: (botId) => inside(botStore.room(botId)),
    write: (write) => inside(botStore.write(write)),
    allotment: ({ userId }, told) => inside(Effect.map(ownerOf(userId), (owner) => allotmentOf({ ...owner, ...told }))),
    halt: (companyId) =>
      Effect.map(halts.find(companyId), ({ halted, version }) =>
        halted === null ? undefined : { stream: commitmentHaltStream(companyId), version }
      ),
    due: repository.due,
    nextDue: repository.nextDue,
    stumbled: (cause) => Effect.logWarning("Bots could not be kept up", cause)
  }
  return world
})

const make = Effect.gen(function* () {
  const repository = yield* BotRepository
  const journal = yield* UnitOfWork
  const reconciling = yield* makeBotReconciling(yield* makeWorld)
  yield* journal.onCommit((events, { changedAccounts }) =>
    reconciling.hear(
      events.map(({ event }) => event),
      changedAccounts
    )
  )
  reconciling.begin({
    living: yield* repository.living,
    owed: yield* repository.owed,
    operating: yield* repository.operating
  })
  return BotReconciler.of({
    round: Effect.withSpan(orUnavailable(reconciling.round), "BotReconciler.round"),
    forever: reconciling.running
  })
})
