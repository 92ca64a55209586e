import type { FastifyRequest } from "fastify"
import { importJWK, type JWTPayload, jwtVerify } from "jose"

/** Who issues the tokens that a peer takes. */
export interface PeerIssuer {
  readonly publicJwk: Readonly<Record<string, string>>
  readonly issuer: string
}

const MAX_CACHED_TOKENS = 1_000

/** What a peer answers instead. */
export class Refusal extends Error {
  readonly statusCode: number

  constructor(statusCode: number, message: string) {
    super(message)
    this.statusCode = statusCode
  }
}

/** Verifies tokens, and remembers those that it has. */
export const authenticator = async ({ publicJwk, issuer }: PeerIssuer) => {
  const key = await importJWK(publicJwk, "EdDSA")
  const verified = new Map<string, JWTPayload>()
  return async ({ headers: { authorization = "" } }: FastifyRequest): Promise<JWTPayload> => {
    const token = authorization.startsWith("Bearer ") ? authorization.slice("Bearer ".length) : ""
    const known = verified.get(token)
    if (known !== undefined && (known.exp ?? 0) * 1_000 > Date.now()) return known
    const { payload } = await jwtVerify(token, key, { issuer, audience: "emporion", algorithms: ["EdDSA"] }).catch(
      () => {
        throw new Refusal(401, "The access token is not valid.")
      }
    )
    const [oldest] = verified.size >= MAX_CACHED_TOKENS ? verified.keys() : []
    if (oldest !== undefined) verified.delete(oldest)
    verified.set(token, payload)
    return payload
  }
}
