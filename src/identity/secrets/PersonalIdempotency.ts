import { Effect, Layer } from "effect"
import type { KeptResponse } from "../../../engine/journal/KeyedRequests.ts"
import { IdempotencyRepository } from "../../http/IdempotencyRepository.ts"
import { PersonalText } from "./PersonalText.ts"

/** Kept answers as they are sent: the journal has some with sealed texts in them. */
export const layer = Layer.effect(
  IdempotencyRepository,
  Effect.gen(function* () {
    const { openIn } = yield* PersonalText
    const repository = yield* IdempotencyRepository
    const opened = (kept: KeptResponse) => Effect.map(openIn(kept.body), (body) => ({ ...kept, body }))
    const openedIfAny = (kept: KeptResponse | undefined) => (kept === undefined ? Effect.undefined : opened(kept))
    return IdempotencyRepository.of({
      ...repository,
      find: (key, now) => Effect.flatMap(repository.find(key, now), openedIfAny),
      findNamed: (name) => Effect.flatMap(repository.findNamed(name), openedIfAny),
      findAll: Effect.fnUntraced(function* (keys, now) {
        const found = [...(yield* repository.findAll(keys, now))]
        return new Map(
          yield* Effect.forEach(found, ([key, kept]) => Effect.map(opened(kept), (one) => [key, one] as const))
        )
      }),
      keep: (key, answer, now) => Effect.flatMap(repository.keep(key, answer, now), openedIfAny)
    })
  })
).pipe(Layer.provide(IdempotencyRepository.layer))
