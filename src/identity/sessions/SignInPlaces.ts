import { Clock, Context, Effect, Layer } from "effect"
import { Settings } from "../../Config.ts"
import { secretHash } from "../../SecretHash.ts"
import { SignInPlaceRepository } from "./SignInPlaceRepository.ts"

/** Places remembered of one account, and accounts with places; whatever was seen longest ago makes room. */
const MAX_PLACES = 16
const MAX_ACCOUNTS = 20_000

/** Places that a start reads. */
const MAX_READ = 100_000

const DAY = 86_400_000

/** How long a place is remembered after the last sign-in, and how long one that is written stands for the next ones. */
const REMEMBERED_FOR = 90 * DAY
const WRITTEN_FOR = DAY

/** Accounts with the times of their last sign-ins at each place. */
class Memory {
  readonly #accounts = new Map<string, Map<string, number>>()

  /** When the place was noted last. */
  at(account: string, place: string): number | undefined {
    return this.#accounts.get(account)?.get(place)
  }

  note(account: string, place: string, at: number): void {
    const places = this.#accounts.get(account) ?? new Map<string, number>()
    put(places, place, at, MAX_PLACES)
    put(this.#accounts, account, places, MAX_ACCOUNTS)
  }
}

/** Sets what becomes the newest of a map of bounded size. */
const put = <V>(map: Map<string, V>, key: string, value: V, most: number): void => {
  map.delete(key)
  const [oldest] = map.size >= most ? map.keys() : []
  if (oldest !== undefined) map.delete(oldest)
  map.set(key, value)
}

const textOf = (hash: Uint8Array): string => Buffer.from(hash).toString("base64")

/**
 * The addresses from which the owners of accounts signed in, also before the last start: strangers' failures and crowds
 * delay nobody there. They are kept as keyed hashes, and are nothing that signs anybody in.
 */
export class SignInPlaces extends Context.Service<
  SignInPlaces,
  {
    readonly has: (account: string, address: string) => Effect.Effect<boolean>
    /** Notes that an account's owner signed in from an address. One that cannot be written is remembered until a stop. */
    readonly note: (account: string, address: string) => Effect.Effect<void>
  }
>()("emporion/identity/SignInPlaces") {
  static readonly layer: Layer.Layer<SignInPlaces, never, Settings | SignInPlaceRepository> = Layer.effect(
    this,
    Effect.gen(function* () {
      const hash = secretHash((yield* Settings).secretKey, "emporion/sign-in-places")
      const repository = yield* SignInPlaceRepository
      const memory = new Memory()
      const hashesOf = (account: string, address: string) => ({
        account: hash(`account/${account}`),
        place: hash(`place/${account}/${address}`)
      })

      const start = yield* Clock.currentTimeMillis
      const read = repository
        .since(start - REMEMBERED_FOR, MAX_READ)
        .pipe(Effect.catch((error) => Effect.as(Effect.logWarning("Places of sign-ins could not be read", error), [])))
      for (const { account, at, place } of yield* read) memory.note(textOf(account), textOf(place), at)

      return SignInPlaces.of({
        has: Effect.fnUntraced(function* (account, address) {
          const hashes = hashesOf(account, address)
          const at = memory.at(textOf(hashes.account), textOf(hashes.place))
          return at !== undefined && at >= (yield* Clock.currentTimeMillis) - REMEMBERED_FOR
        }),
        note: Effect.fnUntraced(function* (account, address) {
          const hashes = hashesOf(account, address)
          const now = yield* Clock.currentTimeMillis
          const [of, where] = [textOf(hashes.account), textOf(hashes.place)]
          const written = memory.at(of, where) ?? Number.NEGATIVE_INFINITY
          memory.note(of, where, now - written < WRITTEN_FOR ? written : now)
          if (now - written < WRITTEN_FOR) return
          yield* repository
            .keep({ ...hashes, at: now }, MAX_PLACES, now - REMEMBERED_FOR)
            .pipe(Effect.catch((error) => Effect.logWarning("The place of a sign-in could not be written", error)))
        })
      })
    })
  )
}
