import { Cache, Clock, Context, Duration, Effect, Exit, Layer } from "effect"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { createHash, createHmac, timingSafeEqual } from "node:crypto"
import { SCOPES } from "../../api/Authorization.ts"
import { Settings } from "../../Config.ts"
import * as Worker from "../../Worker.ts"
import type { Unavailable } from "../../database/DatabaseError.ts"
import { FIRST_PARTY, principalOf } from "../tokens/AccessTokens.ts"
import type { VerifiedPrincipal } from "../tokens/AccessTokens.ts"
import { Owners } from "../users/Owners.ts"
import { Secrets } from "../secrets/Secrets.ts"
import * as SessionCookie from "./SessionCookie.ts"
import type { BrowserHeaders } from "./SessionCookie.ts"
import { PRUNE_BATCH, SessionRepository } from "./SessionRepository.ts"
import type { StoredSession } from "./SessionRepository.ts"
import type { User } from "../users/User.ts"
import { SignInOutdated, UserSuspended } from "../users/UserError.ts"
import { refusal } from "../../../engine/wire/Refusal.ts"

/** Life of a session from sign-in, however much it is used: 30 days, as a refresh token's. Specification 8. */
export const LIFETIME_MILLISECONDS = 30 * 24 * 3_600_000

/** How exactly it is known when a session was last used: an hour, so that a request seldom writes. */
export const SEEN_EVERY = 3_600_000

/** Sessions that one user can have open; the oldest makes room. */
const MAX_SESSIONS = 100

/** Verified sessions kept in memory. */
const MAX_VERIFIED = 10_000

/** How long a session that another process ended may still be taken. What this process ends is ended at once. */
const FRESH_FOR = Duration.seconds(30)

const RANDOM_BYTES = 32
const MAC_BYTES = 16
const TOKEN_LENGTH = ((RANDOM_BYTES + MAC_BYTES) * 4) / 3

/** The cookie's session is unknown, expired, or was ended. */
export class SessionEnded extends refusal(
  "SessionEnded",
  "unauthorized",
  ({ reason }: { readonly reason: string }) => reason
) {}

/** The request would change something by a cookie and does not come from a page of the platform. */
export class ForeignOrigin extends refusal(
  "ForeignOrigin",
  "access_denied",
  () => "A session cookie changes nothing without an Origin header of this site: send it, or send an access token."
) {}

/** Who a session's cookie stands for, and until when in milliseconds since 1970. */
export interface VerifiedSession {
  readonly principal: VerifiedPrincipal
  readonly expiresAt: number
}

const ended = new SessionEnded({ reason: "The session has ended: sign in again." })

const hashOf = (token: string): Uint8Array => new Uint8Array(createHash("sha256").update(token).digest())

/**
 * Tokens are 32 random bytes and the first 16 of their HMAC-SHA256, in base64url, so that an invented one is refused
 * without a look into the database.
 */
const tokensUnder = (key: Uint8Array) => {
  const macOf = (random: Uint8Array): Uint8Array =>
    createHmac("sha256", key).update(random).digest().subarray(0, MAC_BYTES)
  return {
    of: (random: Uint8Array): string => Buffer.concat([random, macOf(random)]).toString("base64url"),
    isOurs: (token: string): boolean => {
      if (token.length !== TOKEN_LENGTH) return false
      const bytes = Buffer.from(token, "base64url")
      if (bytes.length !== RANDOM_BYTES + MAC_BYTES) return false
      return timingSafeEqual(macOf(bytes.subarray(0, RANDOM_BYTES)), bytes.subarray(RANDOM_BYTES))
    }
  }
}

/** Whether a method may change something. RFC 9110, section 9.2.1. */
const changes = (method: string): boolean => method !== "GET" && method !== "HEAD" && method !== "OPTIONS"

/** A stored session, and that it was used noted now and then. */
const seen = Effect.fnUntraced(function* (token: string) {
  const repository = yield* SessionRepository
  const hash = hashOf(token)
  const stored = yield* repository.find(hash)
  if (stored === undefined) return yield* ended
  const now = yield* Clock.currentTimeMillis
  if (now - stored.lastSeenAt >= SEEN_EVERY && now < stored.expiresAt) yield* repository.touch(hash, now)
  return stored
})

const remembered = Cache.makeWith(seen, {
  capacity: MAX_VERIFIED,
  timeToLive: (exit) => (Exit.isSuccess(exit) ? FRESH_FOR : Duration.zero),
  requireServicesAt: "construction"
})

/** What the session stands for now: the owner's present status, role and epoch decide. */
const standing = Effect.fnUntraced(function* (session: StoredSession) {
  if ((yield* Clock.currentTimeMillis) >= session.expiresAt) return yield* ended
  const owners = yield* Owners
  const owner = yield* Effect.catchTag(owners.ownerOf(session.userId), "UserNotFound", () => Effect.fail(ended))
  if (owner.tokenEpoch !== session.tokenEpoch || owner.status === "suspended") return yield* ended
  return {
    principal: principalOf(owner, FIRST_PARTY, owner.scopes ?? SCOPES),
    expiresAt: session.expiresAt
  } satisfies VerifiedSession
})

const make = Effect.gen(function* () {
  const { server } = yield* Settings
  const random = yield* SecureRandom
  const owners = yield* Owners
  const repository = yield* SessionRepository
  const tokens = tokensUnder((yield* Secrets).derive("session"))
  const verified = yield* remembered
  yield* Worker.pruning("Expired sessions", PRUNE_BATCH, repository.prune)

  /** The token of the request's cookie, where the request may use it. */
  const presented = Effect.fnUntraced(function* (headers: BrowserHeaders, needsOrigin: boolean) {
    const token = SessionCookie.read(server, headers.cookie)
    if (token !== undefined && needsOrigin && !SessionCookie.isSameOrigin(server, headers)) {
      return yield* new ForeignOrigin()
    }
    return token
  })

  const verify = Effect.fnUntraced(function* (headers: BrowserHeaders, needsOrigin: boolean) {
    const token = yield* presented(headers, needsOrigin)
    if (token === undefined) return undefined
    if (!tokens.isOurs(token)) return yield* ended
    return yield* Effect.provideService(standing(yield* Cache.get(verified, token)), Owners, owners)
  })

  return Sessions.of({
    noCookie: SessionCookie.make(server, "", 0),
    begin: Effect.fn("Sessions.begin")(function* ({ id: userId, tokenEpoch }) {
      const token = tokens.of(yield* random.randomBytes(RANDOM_BYTES))
      const createdAt = yield* Clock.currentTimeMillis
      const expiresAt = createdAt + LIFETIME_MILLISECONDS
      const session = { hash: hashOf(token), userId, tokenEpoch, createdAt, expiresAt }
      const standing = yield* repository.begin(session, MAX_SESSIONS)
      if (standing === "suspended") return yield* new UserSuspended({ userId })
      if (standing === "outdated") return yield* new SignInOutdated({ userId })
      return SessionCookie.make(server, token, LIFETIME_MILLISECONDS)
    }),
    ofRequest: (method, headers) => verify(headers, changes(method)),
    ofUpgrade: (headers) =>
      verify(
        {
          cookie: headers.get("cookie") ?? undefined,
          origin: headers.get("origin") ?? undefined,
          host: headers.get("host") ?? undefined
        },
        true
      ),
    end: Effect.fn("Sessions.end")(function* (headers) {
      const token = yield* presented(headers, true)
      if (token !== undefined && tokens.isOurs(token)) {
        yield* repository.end(hashOf(token))
        yield* Cache.invalidate(verified, token)
      }
      return SessionCookie.make(server, "", 0)
    }),
    endAll: Effect.fn("Sessions.endAll")(function* (userId) {
      yield* repository.endAll(userId)
      yield* repository.afterCommit(Cache.invalidateAll(verified))
    })
  })
})

/**
 * Browsers' sessions: a random token in an HttpOnly cookie, stored as a hash, for the arena alone. A request that could
 * change something, and a WebSocket upgrade, must come from a page of the platform. Specification 5, point 7.
 */
export class Sessions extends Context.Service<
  Sessions,
  {
    /** A new session of a user who has shown a password, as the cookie to be set. */
    readonly begin: (
      user: Pick<User, "id" | "tokenEpoch">
    ) => Effect.Effect<SessionCookie.SessionCookie, UserSuspended | SignInOutdated | Unavailable>
    /** Who a request's cookie stands for. Undefined: it carries none. */
    readonly ofRequest: (
      method: string,
      headers: BrowserHeaders
    ) => Effect.Effect<VerifiedSession | undefined, SessionEnded | ForeignOrigin | Unavailable>
    /** Who opens a WebSocket, from the headers of its upgrade. Undefined: they carry no session's cookie. */
    readonly ofUpgrade: (
      headers: Headers
    ) => Effect.Effect<VerifiedSession | undefined, SessionEnded | ForeignOrigin | Unavailable>
    /** Ends the session of a request's cookie, if it has one. Answers the cookie that removes it from the browser. */
    readonly end: (headers: BrowserHeaders) => Effect.Effect<SessionCookie.SessionCookie, ForeignOrigin | Unavailable>
    /** Removes the cookie from the browser. */
    readonly noCookie: SessionCookie.SessionCookie
    /** Ends every session of a user: logging out everywhere. */
    readonly endAll: (userId: string) => Effect.Effect<void, Unavailable>
  }
>()("emporion/identity/Sessions") {
  static readonly layer: Layer.Layer<Sessions, never, Settings | Owners | Secrets | SessionRepository | SecureRandom> =
    Layer.effect(this, make)
}
