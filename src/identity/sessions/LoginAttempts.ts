import { Clock, Context, Effect, Exit, Layer } from "effect"
import { CurrentLane, type HashingLane } from "./HashingTurns.ts"
import { SignInPlaces } from "./SignInPlaces.ts"
import { refusal } from "../../../engine/wire/Refusal.ts"

/** Too many wrong passwords: the account or address has to wait. */
export class TooManyAttempts extends refusal<"TooManyAttempts", "rate_limited", { readonly retryAfterSeconds: number }>(
  "TooManyAttempts",
  "rate_limited",
  () => "Too many wrong attempts: wait for the seconds in Retry-After."
) {}

/**
 * Failures that cost nothing: of an account, of an address, which many people may share, and of an account from an
 * address where its owner was seen.
 */
const FREE = { account: 5, address: 20, known: 5 } as const

/** The delay after the first failure that costs: it doubles with each one. */
const FIRST_DELAY = 1_000

/** An account's delay stays short, so that a stranger's guesses do not lock its owner out. */
const LONGEST_DELAY = { account: 60_000, address: 900_000, known: 60_000 } as const

/** A quiet hour forgets the failures. */
const FORGOTTEN_AFTER = 3_600_000

/** Accounts and addresses remembered; the one that failed longest ago makes room. */
const CAPACITY = 20_000

interface Failures {
  readonly count: number
  readonly at: number
}

type Kind = keyof typeof FREE

/** Whose attempts are counted together. */
interface Counted {
  readonly kind: Kind
  readonly name: string
}

/** Milliseconds to wait after a number of failures. */
export const delayAfter = (kind: Kind, count: number): number =>
  count < FREE[kind] ? 0 : Math.min(LONGEST_DELAY[kind], FIRST_DELAY * 2 ** Math.min(count - FREE[kind], 20))

const keyOf = ({ kind, name }: Counted): string => `${kind}:${name}`

/** By whom an attempt is counted: by the pair alone where the account's owner was seen at the address. */
const countedBy = (account: string | undefined, address: string, isKnown: boolean): ReadonlyArray<Counted> => {
  if (account !== undefined && isKnown) return [{ kind: "known", name: `${account} ${address}` }]
  const place = { kind: "address", name: address } as const
  return account === undefined ? [place] : [{ kind: "account", name: account }, place]
}

/** A map of bounded size: what was set longest ago makes room. */
const remember = <V>(map: Map<string, V>, key: string, value: V): void => {
  map.delete(key)
  const [oldest] = map.size >= CAPACITY ? map.keys() : []
  if (oldest !== undefined) map.delete(oldest)
  map.set(key, value)
}

/** Failures, and which attempts are under way for those who have used up what is free. */
class Memory {
  readonly #failures = new Map<string, Failures>()
  readonly #running = new Set<string>()

  #recent(key: string, now: number): Failures | undefined {
    const found = this.#failures.get(key)
    return found === undefined || now - found.at > FORGOTTEN_AFTER ? undefined : found
  }

  /** Whose password an attempt has hashed: an address that failed of late goes behind those that did not. */
  laneOf(counted: ReadonlyArray<Counted>, now: number): HashingLane {
    if (counted.some(({ kind }) => kind === "known")) return "known"
    const hasFailed = counted.some((each) => each.kind === "address" && this.#recent(keyOf(each), now) !== undefined)
    return hasFailed ? "failing" : "fresh"
  }

  /** Milliseconds to wait: for the delay's end, or a moment for the one attempt that may run after it. */
  waitOf(counted: Counted, now: number): number {
    const key = keyOf(counted)
    const found = this.#recent(key, now)
    if (found === undefined) return 0
    const left = Math.max(0, found.at + delayAfter(counted.kind, found.count) - now)
    return left === 0 && this.#running.has(key) ? FIRST_DELAY : left
  }

  /** One attempt at a time for those who have used up what is free. Answers what to undo at its end. */
  begin(counted: ReadonlyArray<Counted>, now: number): () => void {
    const costly = counted.filter((each) => (this.#recent(keyOf(each), now)?.count ?? 0) >= FREE[each.kind]).map(keyOf)
    for (const key of costly) this.#running.add(key)
    return () => {
      for (const key of costly) this.#running.delete(key)
    }
  }

  fail(counted: Counted, now: number): void {
    const key = keyOf(counted)
    remember(this.#failures, key, { count: (this.#recent(key, now)?.count ?? 0) + 1, at: now })
  }

  forgive(account: string): void {
    this.#failures.delete(keyOf({ kind: "account", name: account }))
  }

  succeed(account: string, address: string): void {
    this.forgive(account)
    this.#failures.delete(keyOf({ kind: "known", name: `${account} ${address}` }))
  }
}

/**
 * Slows down guessing: an exponential delay per account and per address, and one attempt at a time once it has begun.
 * Where an account's owner was seen, strangers' failures delay nobody.
 */
export class LoginAttempts extends Context.Service<
  LoginAttempts,
  {
    /**
     * Runs one attempt, or refuses it while a delay lasts. The effect answers undefined for a wrong guess; one that
     * fails does not count. Without an account the address alone is counted. Attempts at the same time are bounded by
     * the hashing of passwords until the first delay.
     */
    readonly attempt: <A, E, R>(
      account: string | undefined,
      address: string,
      effect: Effect.Effect<A | undefined, E, R>
    ) => Effect.Effect<A | undefined, E | TooManyAttempts, R>
    /** Forgets an account's failures: its owner has shown who it is in another way. */
    readonly forgive: (account: string) => Effect.Effect<void>
  }
>()("emporion/identity/LoginAttempts") {
  static readonly layer: Layer.Layer<LoginAttempts, never, SignInPlaces> = Layer.effect(
    this,
    Effect.map(SignInPlaces, (places) => {
      const memory = new Memory()
      return LoginAttempts.of({
        attempt: Effect.fnUntraced(function* (name, address, effect) {
          const account = name?.toLowerCase()
          const isKnown = account !== undefined && (yield* places.has(account, address))
          const counted = countedBy(account, address, isKnown)
          const started = yield* Clock.currentTimeMillis
          const wait = Math.max(...counted.map((each) => memory.waitOf(each, started)))
          if (wait > 0) return yield* new TooManyAttempts({ retryAfterSeconds: Math.ceil(wait / 1000) })
          const exit = yield* Effect.acquireUseRelease(
            Effect.sync(() => memory.begin(counted, started)),
            () => Effect.provideService(Effect.exit(effect), CurrentLane, memory.laneOf(counted, started)),
            (end) => Effect.sync(end)
          )
          if (Exit.isSuccess(exit) && exit.value === undefined) {
            const ended = yield* Clock.currentTimeMillis
            for (const each of counted) memory.fail(each, ended)
            if (account !== undefined && counted.length === 1) memory.fail({ kind: "account", name: account }, ended)
          } else if (Exit.isSuccess(exit) && account !== undefined) {
            memory.succeed(account, address)
            yield* places.note(account, address)
          }
          return yield* exit
        }),
        forgive: (account) => Effect.sync(() => memory.forgive(account.toLowerCase()))
      })
    })
  )
}
