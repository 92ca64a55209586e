import { Effect, Layer } from "effect"
import { IdempotencyRepository } from "../../src/http/IdempotencyRepository.ts"
import { KEY_RETENTION } from "../../engine/journal/KeyFilter.ts"
import type { KeptResponse } from "../../engine/journal/KeyedRequests.ts"

/** Kept answers in memory. */
export const layer = Layer.sync(IdempotencyRepository, () => {
  const kept = new Map<string, KeptResponse & { readonly at: number }>()
  const valid = (key: string, now: number) => {
    const found = kept.get(key)
    return found !== undefined && found.at > now - KEY_RETENTION ? found : undefined
  }
  return {
    find: (key, now) => Effect.sync(() => valid(key, now)),
    isNew: (key, now) => valid(key, now) === undefined,
    findNamed: () => Effect.undefined,
    sentAgain: new Set<string>(),
    findAll: (keys, now) =>
      Effect.sync(() => {
        const found = keys.map((key) => [key, valid(key, now)] as const)
        return new Map(found.flatMap(([key, answer]) => (answer === undefined ? [] : [[key, answer]])))
      }),
    keep: (key, answer, now) =>
      Effect.sync(() => {
        const earlier = valid(key, now)
        if (earlier === undefined) kept.set(key, { ...answer, at: now })
        return earlier
      }),
    keepWithin: (key, answer, now) => Effect.sync(() => void kept.set(key, { ...answer, at: now })),
    prune: () => Effect.succeed(0)
  }
})
