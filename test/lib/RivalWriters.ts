import { Context, Effect, Exit, Layer, type Scope } from "effect"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import type { Recorded } from "../../engine/actor/Journal.ts"
import { accountId, PLATFORM } from "../../engine/ledger/Account.ts"
import { fromUnits } from "../../engine/money/Amount.ts"
import type { PlatformEvent } from "../../engine/replay/PlatformEvent.ts"
import type { KeyIndex } from "../../src/database/StoredKeyIndex.ts"
import { JournalRepository } from "../../src/database/JournalRepository.ts"
import { Projection } from "../../src/database/Projection.ts"
import { UnitOfWork } from "../../src/database/UnitOfWork.ts"
import type { Connected } from "../../src/database/Database.ts"
import type { Deposed } from "../../engine/journal/Deposed.ts"
import type { Unavailable } from "../../src/database/DatabaseError.ts"
import { WriterTerm } from "../../src/database/WriterTerm.ts"
import { WriteSession } from "../../src/database/WriteSession.ts"
import { sharingTerm } from "./TestDatabase.ts"

/**
 * What becomes of the next transaction: as it should, or its answer is lost, after it was written, never, or while it is
 * on its way still, until the next one has been decided.
 */
export type Fate = "kept" | "answer lost" | "undone" | "late"

type Append = WriteSession["Service"]["append"]

/** Appends as their writer's fate wants them. */
const fated = (append: Append, other: Append, fate: () => Fate): Append => {
  const late: Array<Effect.Effect<unknown>> = []
  const arrive = Effect.suspend(() => Effect.all(late.splice(0), { discard: true }))

  const delayed: Append = (rows) =>
    Effect.suspend(() => {
      late.push(Effect.exit(other(rows)))
      return connectionLost
    })

  return (rows) => {
    const now = fate()
    if (now === "late") return delayed(rows)
    if (now === "undone") return connectionLost
    return Effect.tap(Effect.andThen(arrive, append(rows)), now === "answer lost" ? connectionLost : Effect.void)
  }
}

export interface RivalOptions {
  /** A planted fault. */
  readonly wrap?: (repository: JournalRepository["Service"]) => JournalRepository["Service"]
  /** A planted fault: reads before it takes its term, and this happens meanwhile. */
  readonly readsBefore?: Effect.Effect<unknown>
}

const projection = Layer.succeed(
  Projection,
  Projection.of({
    begin: () => Effect.succeed({ statements: () => [], written: () => {} }),
    answers: { of: () => ({ status: 200, body: "" }), follows: () => false },
    projected: () => {}
  })
)

const connectionLost = Effect.fail(
  new SqlError({ reason: new ConnectionError({ cause: new Error("the connection was lost") }) })
)

const lastSeqOf = ({ end }: JournalRepository["Service"]) => Effect.map(end, ({ seq }) => seq)

/** One server's writer: what it told, from where on, and what it acknowledged. */
export class RivalWriter {
  readonly told: Array<Recorded<PlatformEvent>> = []
  readonly acknowledged: Array<number> = []
  /** The last event that there was when it began to read. */
  readonly start: number
  fate: Fate = "kept"
  readonly #journal: UnitOfWork["Service"]
  readonly term: WriterTerm["Service"]
  readonly #name: string
  #appended = 0

  private constructor(name: string, start: number, services: Context.Context<UnitOfWork | WriterTerm>) {
    this.#name = name
    this.start = start
    this.#journal = Context.get(services, UnitOfWork)
    this.term = Context.get(services, WriterTerm)
  }

  /** Starts a writer as a server does, in a scope that nobody closes before the test's end. */
  static readonly start = (
    name: string,
    { readsBefore, wrap = (given) => given }: RivalOptions = {}
  ): Effect.Effect<RivalWriter, SqlError | Unavailable | Deposed, Connected | KeyIndex | Scope.Scope> =>
    Effect.gen(function* () {
      const sessions = yield* Effect.all([1, 2].map(() => Layer.build(Layer.fresh(WriteSession.layer))))
      const [append, other] = sessions.map((built) => Context.get(built, WriteSession).append)
      if (append === undefined || other === undefined) return yield* Effect.die(new Error("no session"))
      let fate: () => Fate = () => "kept"
      const repository = yield* Effect.map(Layer.build(JournalRepository.layer), (built) =>
        Context.get(built, JournalRepository)
      )
      const before = readsBefore === undefined ? undefined : yield* Effect.tap(lastSeqOf(repository), readsBefore)
      const services = yield* Layer.build(
        Layer.fresh(
          UnitOfWork.layer.pipe(
            Layer.provide(Layer.succeed(JournalRepository, wrap(repository))),
            Layer.provide(Layer.succeed(WriteSession, WriteSession.of({ append: fated(append, other, () => fate()) }))),
            Layer.provide(projection),
            Layer.provideMerge(sharingTerm)
          )
        )
      )
      const writer = new RivalWriter(name, before ?? (yield* lastSeqOf(repository)), services)
      // What is sent again is kept.
      fate = () => {
        const now = writer.fate
        writer.fate = "kept"
        return now
      }
      yield* writer.#journal.onCommit((events) => void writer.told.push(...events))
      return writer
    })

  /** Appends an event, and says whether it was acknowledged. */
  readonly append = Effect.suspend(() => {
    this.#appended += 1
    const id = `${this.#name}/${this.#appended}`
    const event: PlatformEvent = {
      _tag: "FundsMinted",
      at: 1,
      fundId: id,
      owner: "someone",
      asset: "USD",
      amount: fromUnits(1n),
      externalReference: null
    }
    const mint = {
      _tag: "Transfer",
      id,
      from: accountId(PLATFORM, "USD", "custody"),
      to: accountId("someone", "USD", "wallet"),
      amount: fromUnits(1n),
      purpose: "mint"
    } as const
    return Effect.map(
      Effect.exit(this.#journal.append({ stream: id, version: 0, entries: [{ commands: [mint], event }] })),
      (exit) => {
        if (Exit.isFailure(exit)) return false
        for (const one of exit.value) if (one._tag === "Accepted") this.acknowledged.push(one.recorded.seq)
        return true
      }
    )
  })

  /** What is there, and it neither read at its start nor told since. */
  untold(lastSeq: number): ReadonlyArray<number> {
    const told = new Set(this.told.map(({ seq }) => seq))
    return Array.from({ length: lastSeq - this.start }, (_, index) => this.start + index + 1).filter(
      (seq) => !told.has(seq)
    )
  }
}
