import { Effect } from "effect"
import { type Entry, type Idempotency, type Precondition, type Recorded, StaleVersion } from "../actor/Journal.ts"
import { InsufficientFunds, type LedgerError } from "../ledger/Book.ts"
import { walletOf } from "../ledger/Funding.ts"
import { lossAllowanceOf } from "../ledger/LossLimit.ts"
import { after, type BotLifeEvent, type BotState } from "./Bot.ts"
import type { BotHoldings } from "./BotLifeDecision.ts"
import { type BotEvent, botStream } from "./BotEvent.ts"
import type { BotGuard } from "./BotGuard.ts"

/** An entry of bots, the stream it belongs in, and the versions that it was decided on; null where that does not matter. */
export interface BotWrite<E extends BotEvent> {
  readonly stream: string
  readonly version: number | null
  readonly preconditions?: ReadonlyArray<Precondition>
  readonly entry: Entry<E>
}

/** Where bots are read and written; `Failure` is a world that does not answer now. */
export interface BotStore<Failure, Services = never> {
  /** A bot as it is recorded; undefined where there is none. */
  readonly find: (botId: string) => Effect.Effect<BotState | undefined, Failure, Services>
  /** A company's active bots, newest first. */
  readonly active: (companyId: string) => Effect.Effect<ReadonlyArray<BotState>, Failure, Services>
  readonly room: (botId: string) => Effect.Effect<BotHoldings, Failure, Services>
  readonly guard: (companyId: string) => Effect.Effect<BotGuard, Failure, Services>
  /** Answers once it is durable; fails with another version, or with why the ledger refused it. */
  readonly write: <E extends BotEvent>(
    write: BotWrite<E>
  ) => Effect.Effect<Recorded<E>, StaleVersion | LedgerError | Failure, Services>
}

/** Why a step was not written. */
export type WriteFailure<Failure> = StaleVersion | LedgerError | Failure

/** A bot after a step, and the event of that; undefined where there was nothing to do. */
export interface Stepped<E extends BotLifeEvent | undefined> {
  readonly bot: BotState
  readonly event: E
}

/** One that has to be there. */
export const found = Effect.fnUntraced(function* <Failure, Services = never>(
  { find }: Pick<BotStore<Failure, Services>, "find">,
  botId: string
): Effect.fn.Return<BotState, Failure, Services> {
  return (yield* find(botId)) ?? (yield* Effect.die(`there is no bot ${botId}`))
})

/**
 * Writes a step on the state that it was decided on. Where less is free of the bot's accounts than was read, what was
 * decided is stale.
 */
export const writeStep = Effect.fnUntraced(function* <E extends BotLifeEvent, Failure, Services = never>(
  { write }: Pick<BotStore<Failure, Services>, "write">,
  state: BotState,
  { commands, event }: Entry<E>,
  {
    idempotency,
    preconditions = []
  }: { readonly idempotency?: Idempotency | undefined; readonly preconditions?: ReadonlyArray<Precondition> } = {}
): Effect.fn.Return<Stepped<E>, WriteFailure<Failure>, Services> {
  const { botId, version } = state
  const stream = botStream(botId)
  const isOwn = ({ account }: InsufficientFunds) =>
    account === walletOf(botId, "USD") || account === lossAllowanceOf(botId)
  yield* write({ stream, version, preconditions, entry: { commands, event, idempotency } }).pipe(
    Effect.catch((error) =>
      Effect.fail(
        error instanceof InsufficientFunds && isOwn(error)
          ? new StaleVersion({ stream, expected: version, actual: version })
          : error
      )
    )
  )
  return { bot: after(state, event), event }
})
