import { Effect, Layer } from "effect"
import { JournalRepository } from "../../src/database/JournalRepository.ts"
import { Projection } from "../../src/database/Projection.ts"
import { UnitOfWork } from "../../src/database/UnitOfWork.ts"
import { WriteSession } from "../../src/database/WriteSession.ts"
import * as TestDatabase from "./TestDatabase.ts"

/** A unit of work on a database of its own whose tables stay empty, its projection, and the sequences of the events that this was given. */
export const writingUnit = () => {
  const projected: Array<number> = []
  const projection = Layer.succeed(
    Projection,
    Projection.of({
      begin: () => Effect.succeed({ statements: () => [], written: () => {} }),
      answers: { of: ({ seq }) => ({ status: 200, body: String(seq) }), follows: () => true },
      projected: (events) => void projected.push(...events.map(({ seq }) => seq))
    })
  )
  const layer = UnitOfWork.layer.pipe(
    Layer.provide(Layer.mergeAll(JournalRepository.layer, projection, WriteSession.layer)),
    Layer.provideMerge(TestDatabase.layer)
  )
  return { layer, projected, projection }
}
