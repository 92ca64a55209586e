import { Effect } from "effect"
import { dirname } from "node:path"
import { USER } from "../../src/database/PostgresCluster.ts"
import { issuer } from "../../src/identity/tokens/Issuer.ts"
import type { BenchPostgres } from "./BenchPostgres.ts"
import type { PeerPlan } from "./FastifyPeer.ts"

/** The peer's connections to PostgreSQL. On two cores 8, 16 and 28 differed by less than their rounds did; 4 were slower. */
const PEER_CONNECTIONS = 16

const ISSUER = issuer({
  host: "127.0.0.1",
  port: 0,
  publicUrl: undefined,
  tls: undefined,
  trustedProxies: [],
  corsOrigins: [],
  rateLimits: false
})

/** A peer that takes the tokens of a program, whose keys are in one database, and keeps its rows in that or another. */
export const peerPlan = Effect.fnUntraced(function* (postgres: BenchPostgres, keys: string, database: string = keys) {
  const [key] = yield* postgres.query<{ public_jwk: Record<string, string> }>(
    keys,
    "SELECT public_jwk FROM signing_keys WHERE retired_at IS NULL"
  )
  const plan: PeerPlan = {
    host: dirname(postgres.path),
    user: USER,
    database,
    connections: PEER_CONNECTIONS,
    publicJwk: key?.public_jwk ?? {},
    issuer: ISSUER
  }
  return plan
})
