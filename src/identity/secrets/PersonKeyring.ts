import { Clock, Deferred, Effect, type Exit } from "effect"
import { SecureRandom } from "effect/crypto/SecureRandom"
import type { Unavailable } from "../../database/DatabaseError.ts"
import { PersonKeyRepository } from "./PersonKeyRepository.ts"
import * as Seal from "./Seal.ts"
import { Secrets } from "./Secrets.ts"

/** What a person's key is sealed for. */
export const keyPurpose = (id: string): string => `person/${id}`

/** How long a key may be used that another process has forgotten, in milliseconds. */
const FRESH_FOR = 30_000

/** Keys in memory. */
const CAPACITY = 50_000

interface Kept {
  readonly key: Uint8Array
  readonly until: number
}

type Keys = ReadonlyMap<string, Uint8Array>

/** Keys in memory, those that were entered first the first to go. */
class KeptKeys {
  readonly #kept = new Map<string, Kept>()
  readonly #capacity: number

  constructor(capacity: number) {
    this.#capacity = capacity
  }

  find(id: string, now: number): Uint8Array | undefined {
    const known = this.#kept.get(id)
    return known !== undefined && now < known.until ? known.key : undefined
  }

  enter(id: string, key: Uint8Array, now: number): void {
    this.#kept.delete(id)
    const [oldest] = this.#kept.keys()
    if (oldest !== undefined && this.#kept.size >= this.#capacity) this.#kept.delete(oldest)
    this.#kept.set(id, { key, until: now + FRESH_FOR })
  }

  clear(): void {
    this.#kept.clear()
  }
}

/** Work by a name: whoever asks for what is under way waits for the same. */
class Joined<A> {
  readonly #pending = new Map<string, Deferred.Deferred<A, Unavailable>>()

  /** It goes on where one of those is interrupted that wait for it. */
  run(name: string, work: Effect.Effect<A, Unavailable>): Effect.Effect<A, Unavailable> {
    return Effect.suspend(() => {
      const under = this.#pending.get(name)
      if (under !== undefined) return Deferred.await(under)
      const deferred = Deferred.makeUnsafe<A, Unavailable>()
      this.#pending.set(name, deferred)
      const end = (exit: Exit.Exit<A, Unavailable>) =>
        Effect.sync(() => {
          if (this.#pending.get(name) === deferred) this.#pending.delete(name)
          Deferred.doneUnsafe(deferred, exit)
        })
      return Effect.uninterruptible(Effect.onExit(work, end))
    })
  }

  /** Nobody joins what is under way now. */
  leave(): void {
    this.#pending.clear()
  }
}

/**
 * The keys of people and companies, those of late in memory. What is under way while keys are forgotten is answered, and
 * not kept.
 *
 * @param capacity - keys in memory
 */
export const makePersonKeyring = Effect.fnUntraced(function* (capacity: number = CAPACITY) {
  const [repository, secrets, random] = [yield* PersonKeyRepository, yield* Secrets, yield* SecureRandom]
  const kept = new KeptKeys(capacity)
  const [reading, drawing] = [new Joined<Keys>(), new Joined<Uint8Array>()]
  const memory = { generation: 0 }

  const opened = (id: string, box: Uint8Array) => Effect.orDie(secrets.open(keyPurpose(id), box))

  const enter = (generation: number, id: string, key: Uint8Array, now: number): void => {
    if (generation === memory.generation) kept.enter(id, key, now)
  }

  const readStored = Effect.fnUntraced(function* (ids: ReadonlyArray<string>) {
    const { generation } = memory
    const now = yield* Clock.currentTimeMillis
    const keys = new Map<string, Uint8Array>()
    for (const { box, id } of yield* repository.find(ids)) keys.set(id, yield* opened(id, box))
    for (const [id, key] of keys) enter(generation, id, key, now)
    return keys
  })

  const read = Effect.fnUntraced(function* (ids: ReadonlyArray<string>) {
    const now = yield* Clock.currentTimeMillis
    const keys = new Map<string, Uint8Array>()
    const missing: Array<string> = []
    for (const id of new Set(ids)) {
      const known = kept.find(id, now)
      if (known === undefined) missing.push(id)
      else keys.set(id, known)
    }
    if (missing.length === 0) return keys
    const stored = yield* reading.run(missing.toSorted().join(), readStored(missing))
    return new Map([...keys, ...stored])
  })

  const draw = Effect.fnUntraced(function* (id: string) {
    const { generation } = memory
    const now = yield* Clock.currentTimeMillis
    const drawn = yield* secrets.seal(keyPurpose(id), yield* random.randomBytes(Seal.KEY_LENGTH))
    const { box, isKept } = yield* repository.add({ id, box: drawn })
    const key = yield* opened(id, box)
    if (isKept) enter(generation, id, key, now)
    return key
  })

  return {
    /** Somebody's key where it is in memory. `now`: milliseconds since 1970. */
    known: (id: string, now: number): Uint8Array | undefined => kept.find(id, now),
    /** The keys that there are, by whose they are. */
    read,
    /** Somebody's key, drawn if there is none. */
    keyOf: Effect.fnUntraced(function* (id: string) {
      return (yield* read([id])).get(id) ?? (yield* drawing.run(id, draw(id)))
    }),
    forgetAll: Effect.sync(() => {
      memory.generation += 1
      kept.clear()
      reading.leave()
      drawing.leave()
    })
  }
})
