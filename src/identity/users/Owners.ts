import { Clock, Context, Effect, Layer } from "effect"
import type { Scope } from "effect"
import type { Unavailable } from "../../database/DatabaseError.ts"
import type { Owner } from "./User.ts"
import { UserNotFound } from "./UserError.ts"
import { UserRepository } from "./UserRepository.ts"

/** Users kept in memory. */
const CAPACITY = 50_000

/** How long a change made by another process may go unseen, in milliseconds. Changes of this process are seen at once. */
const FRESH_FOR = 30_000

interface Seen {
  readonly owner: Owner
  readonly until: number
}

/** Is told who changed; undefined: it may be anybody. */
type Watcher = (userId: string | undefined) => void

/** Who stands behind a user id, cheap enough to ask on every request. */
export class Owners extends Context.Service<
  Owners,
  {
    readonly ownerOf: (userId: string) => Effect.Effect<Owner, UserNotFound | Unavailable>
    /** The same without waiting: undefined where the user has to be read. */
    readonly known: (userId: string, now: number) => Owner | undefined
    /** Reads the user again when next asked. To be run after the change has committed. */
    readonly forget: (userId: string) => Effect.Effect<void>
    /** Reads every user again when next asked, for changes of a company. */
    readonly forgetAll: Effect.Effect<void>
    /** Is told of every change, for as long as the scope lasts. */
    readonly watch: (watcher: Watcher) => Effect.Effect<void, never, Scope.Scope>
  }
>()("emporion/identity/Owners") {
  static readonly layer: Layer.Layer<Owners, never, UserRepository> = Layer.effect(
    this,
    Effect.gen(function* () {
      const repository = yield* UserRepository
      const seen = new Map<string, Seen>()
      const forgotten = { times: 0 }

      const read = Effect.fnUntraced(function* (userId: string) {
        const before = forgotten.times
        const at = yield* Clock.currentTimeMillis
        const owner = yield* repository.owner(userId)
        if (owner === undefined) return yield* new UserNotFound({ userId })
        if (seen.size >= CAPACITY) seen.clear()
        if (forgotten.times === before) seen.set(userId, { owner, until: at + FRESH_FOR })
        return owner
      })
      const watchers = new Set<Watcher>()
      const forget = (userId: string | undefined) =>
        Effect.sync(() => {
          forgotten.times += 1
          if (userId === undefined) seen.clear()
          else seen.delete(userId)
          for (const watcher of watchers) watcher(userId)
        })
      const known = (userId: string, now: number): Owner | undefined => {
        const found = seen.get(userId)
        return found !== undefined && now < found.until ? found.owner : undefined
      }

      return Owners.of({
        ownerOf: (userId) =>
          Effect.flatMap(Clock.currentTimeMillis, (now) => {
            const owner = known(userId, now)
            return owner === undefined ? read(userId) : Effect.succeed(owner)
          }),
        known,
        forget,
        forgetAll: forget(undefined),
        watch: (watcher) =>
          Effect.acquireRelease(
            Effect.sync(() => void watchers.add(watcher)),
            () => Effect.sync(() => watchers.delete(watcher))
          )
      })
    })
  )
}
