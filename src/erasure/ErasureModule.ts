import { Effect, Layer } from "effect"
import { erasureRows } from "../../engine/erasure/ErasureRows.ts"
import type { ContextProjection } from "../database/Projection.ts"
import type { PersonalTable } from "../database/PersonalTable.ts"
import { type Module, nothing } from "../Module.ts"
import * as ErasureHandlers from "./ErasureHandlers.ts"
import { ErasureRepository } from "./ErasureRepository.ts"
import { Erasures } from "./Erasures.ts"

const projection: ContextProjection = { rows: { UserErased: erasureRows }, answers: {} }

/** Forgets people in the tables of the other contexts, which say what identifies them. */
export const moduleOver = (tables: ReadonlyArray<PersonalTable>) =>
  ({
    ...nothing,
    rows: Effect.succeed([projection]),
    services: Erasures.layer.pipe(Layer.provide(ErasureRepository.layer(tables))),
    handlers: ErasureHandlers.layer,
    background: Erasures.running
  }) satisfies Module
