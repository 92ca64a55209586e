import { Effect, Layer } from "effect"
import { layerWebCrypto } from "effect/crypto/SecureRandom"
import type { SqlClient } from "effect/sql/SqlClient"
import { BreakerRepository } from "../arena/BreakerRepository.ts"
import { Breakers } from "../arena/Breakers.ts"
import type { Settings } from "../Config.ts"
import { type DatabaseFacts, databaseFacts } from "../database/DatabaseFacts.ts"
import { label, status } from "../database/Migrations.ts"
import { Secrets } from "../identity/secrets/Secrets.ts"
import { SigningKeyRepository } from "../identity/tokens/SigningKeyRepository.ts"
import { currentKid } from "../identity/tokens/SigningKeys.ts"
import { type Finding, finding, orFail } from "./Finding.ts"

/** Milliseconds that this machine's clock may be off the database's: worth a look, and too many. */
const SKEW_WARNED = 1_000
const SKEW_REFUSED = 30_000

/** A clock that shows less is wrong. */
const EARLIEST = Date.UTC(2026, 0, 1)

const serverFinding = ({ mayCreate, notDurable, version }: DatabaseFacts): Finding => {
  const name = `PostgreSQL ${version}`
  if (!mayCreate) return finding("database", "fail", `${name} lets this user make no tables: GRANT CREATE ON SCHEMA.`)
  return notDurable.length === 0
    ? finding("database", "ok", `${name} answers`)
    : finding("database", "warn", `${name} has ${notDurable.join(" and ")} off: a crash loses what was acknowledged.`)
}

/** What the database's time says of this machine's just before and after. */
export const clockFinding = ({ after, before, database }: DatabaseFacts["clock"]): Finding => {
  const skew = Math.round(Math.max(0, before - database, database - after))
  const here = new Date(after).toISOString()
  if (after < EARLIEST) return finding("clock", "fail", `It is ${here} on this machine: set its clock.`)
  if (skew < SKEW_WARNED) return finding("clock", "ok", `${here}, and the database agrees`)
  const text = `${skew.toLocaleString("en")} ms off the database's: let both machines follow the same time server.`
  return finding("clock", skew < SKEW_REFUSED ? "warn" : "fail", text)
}

const workerFinding = ({ workedOnSince }: DatabaseFacts): Finding =>
  finding(
    "server",
    "ok",
    workedOnSince === undefined
      ? "none works on this database"
      : `one works on this database since ${workedOnSince.toISOString()}; a second would be refused`
  )

const migrations = Effect.map(status(), ({ applied, pending }) =>
  pending.length === 0
    ? finding("migrations", "ok", `${applied.length} applied, none pending`)
    : finding(
        "migrations",
        "warn",
        `${pending.map(label).join(", ")} pending: start the server, or emporion migrate up.`
      )
)

const signing = Effect.map(currentKid(), (kid) =>
  finding("signing key", "ok", kid === undefined ? "none yet: the first start makes it" : `SECRET_KEY opens ${kid}`)
)

const breakers = Effect.map(Breakers, (breakers) => {
  if (breakers.isLatched()) {
    return finding("breakers", "warn", "The ledger did not add up: find out why, then emporion breaker reset.")
  }
  const open = Object.entries(breakers.statuses()).filter(([, state]) => state !== "closed")
  return open.length === 0
    ? finding("breakers", "ok", "all closed")
    : finding("breakers", "warn", `${open.map((one) => one.join(" ")).join(", ")}: they close by themselves.`)
})

const keys = Layer.mergeAll(SigningKeyRepository.layer, Secrets.layer).pipe(Layer.provide(layerWebCrypto))
const arena = Breakers.layer.pipe(Layer.provide(BreakerRepository.layer))

/** Looks at a database that answers, and changes nothing. What is kept in tables is looked at where all are there. */
export const databaseFindings: Effect.Effect<ReadonlyArray<Finding>, never, SqlClient | Settings> = Effect.gen(
  function* () {
    const facts = yield* Effect.result(databaseFacts)
    if (facts._tag === "Failure") return [finding("database", "fail", facts.failure.message)]
    const schema = yield* orFail("migrations", migrations)
    const found = [
      serverFinding(facts.success),
      schema,
      clockFinding(facts.success.clock),
      workerFinding(facts.success)
    ]
    if (schema.standing !== "ok") return found
    return [
      ...found,
      yield* orFail("signing key", Effect.provide(signing, keys)),
      yield* orFail("breakers", Effect.provide(breakers, arena))
    ]
  }
)
