import { Effect, Layer } from "effect"
import type { ContextProjection } from "./database/Projection.ts"
import type { AnswerSource } from "./http/CachedResponses.ts"
import type { PersonalTable } from "./database/PersonalTable.ts"
import type { SealedColumn } from "./database/SealedColumn.ts"
import type { RpcHandler } from "./rpc/RpcHandler.ts"

type AnyLayer = Layer.Layer<never, unknown, unknown>
type Each<A> = Effect.Effect<ReadonlyArray<A>, unknown, unknown>

/** What a context brings to the platform. */
export interface Module {
  /** Its columns that are sealed under `SECRET_KEY`. A sealed column that no module names is lost when the key changes. */
  readonly sealed: ReadonlyArray<SealedColumn>
  /** Its tables beside the journal that identify people. */
  readonly personal: ReadonlyArray<PersonalTable>
  /** Which rows its recorded events give. */
  readonly rows: Each<ContextProjection>
  /** What {@link rows} reads. Needs the database alone. */
  readonly tables: AnyLayer
  /** Its services, which may need those of the modules before it. */
  readonly services: AnyLayer
  /** The handlers of its groups of the contract. */
  readonly handlers: AnyLayer
  /** What it answers on the fast lane. */
  readonly rpcs: Each<RpcHandler>
  /** The responses that it has in memory. */
  readonly cached: Each<AnswerSource>
  /** What runs by itself. */
  readonly background: AnyLayer
}

const none = Effect.succeed([])

/** The parts of a module that brings nothing. */
export const nothing = {
  sealed: [],
  personal: [],
  rows: none,
  tables: Layer.empty,
  services: Layer.empty,
  handlers: Layer.empty,
  rpcs: none,
  cached: none,
  background: Layer.empty
} satisfies Module

/** Modules, each after those whose services it needs. */
export class Modules<S, E, R, BE, BR, M extends Module> {
  /** The services of all. What they need of others than the modules before them is left to provide. */
  readonly services: Layer.Layer<S, E, R>
  /** What runs by itself. It starts from the last module to the first: who listens is there before whom it listens to. */
  readonly background: Layer.Layer<never, BE, BR>
  readonly all: ReadonlyArray<M>

  constructor(services: Layer.Layer<S, E, R>, background: Layer.Layer<never, BE, BR>, all: ReadonlyArray<M>) {
    this.services = services
    this.background = background
    this.all = all
  }

  static readonly none = new Modules<never, never, never, never, never, never>(Layer.empty, Layer.empty, [])

  /** One more, which finds the services of those that are there. */
  and<S2, E2, R2, BE2, BR2, const N extends Module>(
    next: N & { readonly services: Layer.Layer<S2, E2, R2>; readonly background: Layer.Layer<never, BE2, BR2> }
  ) {
    return new Modules(
      Layer.provideMerge(next.services, this.services),
      Layer.provideMerge(this.background, next.background),
      [...this.all, next]
    )
  }
}
