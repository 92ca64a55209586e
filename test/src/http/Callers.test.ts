import { describe, expect } from "bun:test"
import { Effect, Layer } from "effect"
import type { Principal } from "../../../src/api/Authorization.ts"
import { bearerOf, Callers } from "../../../src/http/Callers.ts"
import { MAX_REFUSED_TOKENS, RateLimiter } from "../../../src/http/RateLimiter.ts"
import { TokenVerifier, Unauthorized } from "../../../src/http/TokenVerifier.ts"
import { itEffect } from "../../lib/Effects.ts"
import { settings } from "../../lib/ProbeServer.ts"

const PEER = "198.51.100.1"

const principal: Principal = {
  userId: "usr_1",
  clientId: "cli_1",
  companyId: "com_1",
  role: "buyer",
  scopes: ["orders:read"],
  kind: "user",
  status: "active"
}

const verifier = TokenVerifier.of({
  isSigned: (token) => token === "signed",
  known: (token) => (token === "known" ? principal : undefined),
  verify: () => Effect.fail(new Unauthorized({ reason: "It is not one." }))
})

const made = (variables: Readonly<Record<string, string>> = {}) =>
  Effect.provide(
    Callers.make,
    Layer.mergeAll(RateLimiter.layer, Layer.succeed(TokenVerifier, verifier)).pipe(
      Layer.provideMerge(settings({ RATE_LIMITS: "on", ...variables }))
    )
  )

const asked = (headers: Readonly<Record<string, string>> = {}) => new Request("http://localhost/", { headers })

describe("Callers", () => {
  itEffect("know a request by a sane id, and by the address before trusted proxies", () =>
    Effect.gen(function* () {
      const callers = yield* made({ TRUSTED_PROXIES: PEER })
      const facts = callers.arrived(asked({ "x-request-id": "mine", "x-forwarded-for": "203.0.113.9" }), PEER)
      expect([facts.id, facts.address, facts.caller, facts.peer]).toEqual([
        "mine",
        "203.0.113.9",
        "address:203.0.113.9",
        PEER
      ])
      expect(callers.arrived(asked({ "x-request-id": "a b" }), PEER).id).toMatch(/^[0-9a-f-]{36}$/)
    })
  )

  itEffect(
    "look at no tokens of an address that sent too many that were refused, but at those known to be signed",
    () =>
      Effect.gen(function* () {
        const callers = yield* made()
        const facts = callers.arrived(asked(), PEER)
        for (let sent = 1; sent < MAX_REFUSED_TOKENS; sent++) callers.refused(facts, 0)
        expect(callers.looksAt("other", facts, 0)).toBe(true)
        callers.refused(facts, 0)
        expect([callers.looksAt("other", facts, 0), callers.looksAt("signed", facts, 0)]).toEqual([false, true])
        expect(callers.looksAt("other", callers.arrived(asked(), "198.51.100.2"), 0)).toBe(true)
      })
  )

  itEffect("are counted by who they are, and a token that stands for nobody is refused", () =>
    Effect.gen(function* () {
      const callers = yield* made()
      const [stranger, known] = [callers.arrived(asked(), PEER), callers.arrived(asked(), PEER)]
      known.identity = { _tag: "Verified", principal: callers.known("known", 0) ?? principal }
      const first = callers.take(stranger, 0)
      expect(callers.take(stranger, 0).remaining).toBe(first.remaining - 1)
      expect(callers.peek(stranger, 0).remaining).toBe(first.remaining - 1)
      expect(callers.take(known, 0).remaining).toBe(first.remaining)
      expect(yield* Effect.flip(callers.verified("other"))).toMatchObject({
        code: "unauthorized",
        message: "It is not one."
      })
    })
  )
})

describe("A bearer token", () => {
  itEffect("is what RFC 6750 makes of the header, however it is written", () =>
    Effect.sync(() => {
      const headers = ["Bearer a.b-c_d~e+f/g==", "bearer x", "BEARER   x", "Bearer  x", "Bearer", "Bearer ", "Basic x"]
      const odd = ["Bearer x y", "Bearer x\ty", " Bearer x", "Bearer\tx", "Bearer x ", "", null]
      const byRule = (header: string | null) => /^bearer +(\S+)$/i.exec(header ?? "")?.[1]
      expect([...headers, ...odd].map(bearerOf)).toEqual([...headers, ...odd].map(byRule))
      expect(headers.map(bearerOf)).toEqual(["a.b-c_d~e+f/g==", "x", "x", "x", undefined, undefined, undefined])
    })
  )
})
