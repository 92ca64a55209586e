import { Clock, Context, Effect, Layer, Schema } from "effect"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { createHash, timingSafeEqual } from "node:crypto"
import { Settings } from "../../Config.ts"
import type { Unavailable } from "../../database/DatabaseError.ts"
import { Secrets } from "../secrets/Secrets.ts"
import * as SessionCookie from "../sessions/SessionCookie.ts"
import type { BrowserHeaders } from "../sessions/SessionCookie.ts"
import { SpentSignInRepository } from "./SpentSignInRepository.ts"
import { refusal } from "../../../engine/wire/Refusal.ts"

/** The cookie that binds a sign-in to the browser that began it. Over https its name begins with `__Host-`. */
export const SIGN_IN_COOKIE = "emporion_sign_in"

/** How long a person may take at the provider, in milliseconds. */
export const LIFETIME_MILLISECONDS = 600_000

const PURPOSE = "sign-in"
const STATE_PURPOSE = "sign-in-state"
const RANDOM_BYTES = 32
const MAX_COOKIE_LENGTH = 4_096

/** Longest state, in characters: it holds a path of at most 512 of them. */
export const MAX_STATE_LENGTH = 2_048

/** Where a sign-in leads. A code of one is of no use to another. */
export type Way = "provider" | "sandbox" | "shop"

const begun = {
  way: Schema.Literals(["provider", "sandbox", "shop"]),
  /** Comes back in the ID token. OpenID Connect Core 1.0, section 3.1.2.1. */
  nonce: Schema.String,
  /** PKCE's. RFC 7636, section 4.1. */
  verifier: Schema.String,
  /** A path of this site. */
  returnTo: Schema.String,
  /** The shop's host. */
  shop: Schema.optionalKey(Schema.String),
  /** Milliseconds since 1970. */
  expiresAt: Schema.Int
}

/** What a state holds, sealed. */
const Begun = Schema.Struct(begun)

const Pending = Schema.Struct({
  ...begun,
  /** Comes back with the code, and holds the rest sealed. RFC 6749, section 10.12. */
  state: Schema.String
})

/** A sign-in that was begun and is not complete. Only its state and the browser's cookie hold it, sealed. */
export type Pending = typeof Pending.Type

const sealedBegun = Schema.fromJsonString(Begun)
const encodeBegun = Schema.encodeEffect(sealedBegun)
const decodeBegun = Schema.decodeUnknownEffect(sealedBegun)
const sealedPending = Schema.fromJsonString(Pending)
const encode = Schema.encodeEffect(sealedPending)
const decode = Schema.decodeUnknownEffect(sealedPending)

/** The request is not from the browser that began the sign-in, came too late, or was made before. */
export class SignInRefused extends refusal(
  "SignInRefused",
  "access_denied",
  ({ reason }: { readonly reason: string }) => reason
) {}

const refused = (reason: string) => new SignInRefused({ reason })

const noCookie = refused("No sign-in was begun in this browser, or it took too long: begin again.")
const noState = refused("The state is none of a sign-in that was begun here, or it took too long: begin again.")
const wrongState = refused("The state is not that of the sign-in that was begun in this browser: begin again.")
const usedBefore = refused("This sign-in is complete already: begin again.")
const foreignPage = refused("A page of another site cannot complete a sign-in.")

const digest = (text: string): Uint8Array => new Uint8Array(createHash("sha256").update(text).digest())

/** PKCE's challenge of a verifier. RFC 7636, section 4.2. */
export const challengeOf = (verifier: string): string => Buffer.from(digest(verifier)).toString("base64url")

const isSame = (left: string, right: string): boolean => timingSafeEqual(digest(left), digest(right))

const make = Effect.gen(function* () {
  const { server } = yield* Settings
  const random = yield* SecureRandom
  const secrets = yield* Secrets
  const spent = yield* SpentSignInRepository

  const word = Effect.map(random.randomBytes(RANDOM_BYTES), (bytes) => Buffer.from(bytes).toString("base64url"))

  const isAllowedPage = (headers: BrowserHeaders): boolean =>
    headers.origin === undefined || SessionCookie.isSameOrigin(server, headers)

  const open = Effect.fnUntraced(function* (cookie: string | undefined) {
    const value = SessionCookie.read(server, cookie, SIGN_IN_COOKIE)
    if (value === undefined || value.length > MAX_COOKIE_LENGTH) return yield* noCookie
    const plain = yield* Effect.mapError(secrets.open(PURPOSE, Buffer.from(value, "base64url")), () => noCookie)
    return yield* Effect.mapError(decode(Buffer.from(plain).toString()), () => noCookie)
  })

  return PendingSignIns.of({
    begin: Effect.fn("PendingSignIns.begin")(function* (way, returnTo, shop) {
      const begun: typeof Begun.Type = {
        way,
        nonce: yield* word,
        verifier: yield* word,
        returnTo,
        ...(shop === undefined ? {} : { shop }),
        expiresAt: (yield* Clock.currentTimeMillis) + LIFETIME_MILLISECONDS
      }
      const sealed = yield* secrets.seal(STATE_PURPOSE, Buffer.from(yield* Effect.orDie(encodeBegun(begun))))
      const pending: Pending = { ...begun, state: Buffer.from(sealed).toString("base64url") }
      const box = yield* secrets.seal(PURPOSE, Buffer.from(yield* Effect.orDie(encode(pending))))
      const value = Buffer.from(box).toString("base64url")
      return { pending, cookie: SessionCookie.make(server, value, LIFETIME_MILLISECONDS, SIGN_IN_COOKIE) }
    }),
    resume: Effect.fn("PendingSignIns.resume")(function* (ways, headers, state) {
      const pending = yield* open(headers.cookie)
      if (!isAllowedPage(headers)) return yield* foreignPage
      if (!ways.includes(pending.way) || (yield* Clock.currentTimeMillis) >= pending.expiresAt) return yield* noCookie
      return state === undefined || isSame(state, pending.state) ? pending : yield* wrongState
    }),
    isBound: ({ cookie }) => SessionCookie.read(server, cookie, SIGN_IN_COOKIE) !== undefined,
    reopen: Effect.fn("PendingSignIns.reopen")(function* (ways, state) {
      if (state.length > MAX_STATE_LENGTH) return yield* noState
      const plain = yield* Effect.mapError(secrets.open(STATE_PURPOSE, Buffer.from(state, "base64url")), () => noState)
      const begun = yield* Effect.mapError(decodeBegun(Buffer.from(plain).toString()), () => noState)
      const isOver = (yield* Clock.currentTimeMillis) >= begun.expiresAt
      return isOver || !ways.includes(begun.way) ? yield* noState : { ...begun, state }
    }),
    complete: Effect.fn("PendingSignIns.complete")(function* (pending) {
      const isFirst = yield* spent.spend(digest(pending.state), yield* Clock.currentTimeMillis, pending.expiresAt)
      return isFirst ? SessionCookie.make(server, "", 0, SIGN_IN_COOKIE) : yield* usedBefore
    })
  })
})

/**
 * Sign-ins on their way through a provider. Each is bound to one browser by a sealed HttpOnly cookie that carries what
 * the provider must echo, so that nothing is stored for people who never come back. The state holds the same sealed, for
 * programs without the cookie: they keep it themselves, and must believe no other.
 */
export class PendingSignIns extends Context.Service<
  PendingSignIns,
  {
    /** A new sign-in, and the cookie that binds it to the browser. */
    readonly begin: (
      way: Way,
      returnTo: string,
      shop?: string
    ) => Effect.Effect<{ readonly pending: Pending; readonly cookie: SessionCookie.SessionCookie }>
    /** The sign-in of a request's cookie, when it leads one of the ways and has the state, where one is given. */
    readonly resume: (
      ways: ReadonlyArray<Way>,
      headers: BrowserHeaders,
      state: string | undefined
    ) => Effect.Effect<Pending, SignInRefused>
    /** Whether a request's browser has begun a sign-in. */
    readonly isBound: (headers: BrowserHeaders) => boolean
    /** The sign-in of a state, for who has no cookie, when it leads one of the ways. */
    readonly reopen: (ways: ReadonlyArray<Way>, state: string) => Effect.Effect<Pending, SignInRefused>
    /** Ends a sign-in, once. Answers the cookie that removes it from the browser. */
    readonly complete: (pending: Pending) => Effect.Effect<SessionCookie.SessionCookie, SignInRefused | Unavailable>
  }
>()("emporion/identity/PendingSignIns") {
  static readonly layer: Layer.Layer<PendingSignIns, never, Settings | Secrets | SecureRandom | SpentSignInRepository> =
    Layer.effect(this, make)
}
