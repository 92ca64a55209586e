import { Effect, Layer } from "effect"
import { layerWebCrypto } from "effect/crypto/SecureRandom"
import type { SqlClient } from "effect/sql/SqlClient"
import { BreakerRepository } from "../arena/BreakerRepository.ts"
import { Breakers } from "../arena/Breakers.ts"
import { type NodeList, nodesNow } from "../database/NodeRepository.ts"
import { SandboxClockRepository } from "../sandbox/SandboxClockRepository.ts"
import { Settings } from "../Config.ts"
import { type DatabaseFacts, databaseFacts } from "../database/DatabaseFacts.ts"
import { label, status } from "../database/Migrations.ts"
import { Secrets } from "../identity/secrets/Secrets.ts"
import { SigningKeyRepository } from "../identity/tokens/SigningKeyRepository.ts"
import { currentKid } from "../identity/tokens/SigningKeys.ts"
import { type Check, type CheckRow, type Finding, finding, judged, orFail } from "./Finding.ts"

/** Milliseconds that this machine's clock may be off the database's: worth a look, and too many. */
const SKEW_WARNED = 1_000
const SKEW_REFUSED = 30_000

/** A clock that shows less is wrong. */
const EARLIEST = Date.UTC(2026, 0, 1)

interface ServerFacts {
  readonly facts: DatabaseFacts
  readonly isProduction: boolean
}

/** Settings without which PostgreSQL acknowledges what it may lose. The rest can be right on some file systems. */
const LOSING: ReadonlySet<string> = new Set(["fsync", "synchronous_commit"])

const off = (names: ReadonlyArray<string>): string | undefined =>
  names.length === 0 ? undefined : `${names.join(" and ")} off`

const serverChecks: ReadonlyArray<Check<ServerFacts>> = [
  {
    about: "database",
    standing: "fail",
    when: "the user may not create tables",
    todo: "GRANT CREATE ON SCHEMA to it; migrations need it.",
    found: ({ facts }) => (facts.mayCreate ? undefined : `PostgreSQL ${facts.version} lets this user make no tables`)
  },
  {
    about: "durability",
    standing: "fail",
    when: "`fsync` or `synchronous_commit` is off in production",
    todo: "a crash loses what was acknowledged; turn it on for this database and this user.",
    found: ({ facts, isProduction }) =>
      isProduction ? off(facts.notDurable.filter((name) => LOSING.has(name))) : undefined
  },
  {
    about: "durability",
    standing: "warn",
    when: "`full_page_writes` is off; in the sandbox also `fsync` or `synchronous_commit`",
    todo: "a crash can lose what was acknowledged; turn it on unless the file system writes pages whole.",
    found: ({ facts, isProduction }) => off(facts.notDurable.filter((name) => !isProduction || !LOSING.has(name)))
  }
]

type Times = DatabaseFacts["clock"]

const skewOf = ({ after, before, database }: Times): number =>
  Math.round(Math.max(0, before - database, database - after))

const isPast = ({ after }: Times): boolean => after < EARLIEST

const skewed = (times: Times): string => `${skewOf(times).toLocaleString("en")} ms off the database's`

const FOLLOW = "let both machines follow the same time server."

const clockChecks: ReadonlyArray<Check<Times>> = [
  {
    about: "clock",
    standing: "fail",
    when: "before 2026",
    todo: "set this machine's clock.",
    found: (times) => (isPast(times) ? new Date(times.after).toISOString() : undefined)
  },
  {
    about: "clock",
    standing: "fail",
    when: "30 s or more off the database's",
    todo: FOLLOW,
    found: (times) => (!isPast(times) && skewOf(times) >= SKEW_REFUSED ? skewed(times) : undefined)
  },
  {
    about: "clock",
    standing: "warn",
    when: "a second or more off the database's",
    todo: FOLLOW,
    found: (times) =>
      !isPast(times) && skewOf(times) >= SKEW_WARNED && skewOf(times) < SKEW_REFUSED ? skewed(times) : undefined
  }
]

/** What the database's time says of this machine's just before and after. */
export const clockFinding = (times: Times): Finding => {
  const fine = finding("clock", "ok", `${new Date(times.after).toISOString()}, and the database agrees`)
  const [found = fine] = judged(clockChecks, times)
  return found
}

/** What PostgreSQL tells of itself. */
export const factFindings = (facts: DatabaseFacts, isProduction: boolean): ReadonlyArray<Finding> => {
  const found = judged(serverChecks, { facts, isProduction })
  const answers = found.some(({ about }) => about === "database")
    ? []
    : [finding("database", "ok", `PostgreSQL ${facts.version} answers`)]
  return [...answers, ...found, clockFinding(facts.clock)]
}

const workerFinding = ({ workedOnSince }: DatabaseFacts): Finding =>
  finding(
    "server",
    "ok",
    workedOnSince === undefined
      ? "none works on this database"
      : `one works on this database since ${workedOnSince.toISOString()}; a second would be refused`
  )

const NODES: CheckRow = {
  about: "nodes",
  standing: "warn",
  when: "none writes, or one is gone",
  todo: "look at its log, and make sure that something restarts it."
}

/** Where several nodes work on the database, which. */
export const nodesFinding = ({ lag, nodes, servingSince, term, writer }: NodeList): ReadonlyArray<Finding> => {
  if (nodes.length === 0) return []
  const gone = nodes.filter(({ since }) => since === undefined).map(({ address }) => `${address} is gone`)
  const writes =
    servingSince === undefined
      ? "none writes"
      : `${writer} writes since ${servingSince.toISOString()} under term ${term}, the tables lack ${lag} events`
  return gone.length === 0 && servingSince !== undefined
    ? [finding(NODES.about, "ok", `${nodes.length}, of which ${writes}`)]
    : [finding(NODES.about, NODES.standing, `${[writes, ...gone].join(", ")}: ${NODES.todo}`)]
}

/** A database whose migrations are to come knows none. */
const nodes = nodesNow.pipe(
  Effect.map(nodesFinding),
  Effect.catch(() => Effect.succeed<ReadonlyArray<Finding>>([]))
)

const MIGRATIONS: CheckRow = {
  about: "migrations",
  standing: "warn",
  when: "pending (a start runs them)",
  todo: "start the server, or run emporion migrate up."
}

const migrations = Effect.map(status(), ({ applied, pending }) =>
  pending.length === 0
    ? finding(MIGRATIONS.about, "ok", `${applied.length} applied, none pending`)
    : finding(MIGRATIONS.about, MIGRATIONS.standing, `${pending.map(label).join(", ")} pending: ${MIGRATIONS.todo}`)
)

const signing = Effect.map(currentKid(), (kid) =>
  finding("signing key", "ok", kid === undefined ? "none yet: the first start makes it" : `SECRET_KEY opens ${kid}`)
)

interface BreakerFacts {
  readonly isLatched: boolean
  readonly open: ReadonlyArray<string>
}

const breakerChecks: ReadonlyArray<Check<BreakerFacts>> = [
  {
    about: "breakers",
    standing: "warn",
    when: "the ledger did not add up",
    todo: "find out why, then run emporion breaker reset.",
    found: ({ isLatched }) => (isLatched ? "The ledger did not add up" : undefined)
  },
  {
    about: "breakers",
    standing: "warn",
    when: "open",
    todo: "they close by themselves once prices are safe.",
    found: ({ isLatched, open }) => (isLatched || open.length === 0 ? undefined : open.join(", "))
  }
]

const breakers = Effect.map(Breakers, (breakers) => {
  const open = Object.entries(breakers.statuses()).filter(([, state]) => state !== "closed")
  const standing = { isLatched: breakers.isLatched(), open: open.map((one) => one.join(" ")) }
  const [found = finding("breakers", "ok", "all closed")] = judged(breakerChecks, standing)
  return found
})

interface ClockFacts {
  readonly lead: number
  readonly until: number | null
  readonly isProduction: boolean
  readonly isCluster: boolean
}

const sandboxClockChecks: ReadonlyArray<Check<ClockFacts>> = [
  {
    about: "sandbox clock",
    standing: "fail",
    when: "set forward, in production",
    todo: "use a database that was no sandbox's.",
    found: ({ isProduction, lead }) => (isProduction && lead > 0 ? ahead(lead) : undefined)
  },
  {
    about: "sandbox clock",
    standing: "fail",
    when: "set forward, with `CLUSTER=on`",
    todo: "nodes have the machines' time; start one server on this database without CLUSTER, or the nodes on another.",
    found: ({ isCluster, lead }) => (isCluster && lead > 0 ? ahead(lead) : undefined)
  },
  {
    about: "sandbox clock",
    standing: "warn",
    when: "to be set forward, in production or with `CLUSTER=on`, where nothing does",
    todo: "run emporion time stop.",
    found: ({ isCluster, isProduction, lead, until }) =>
      (isProduction || isCluster) && lead === 0 && until !== null
        ? `to be set to ${new Date(until).toISOString()}`
        : undefined
  }
]

const ahead = (lead: number): string => `${Math.floor(lead / 1_000).toLocaleString("en")} s ahead of the machine's`

/** There is nothing to say of a sandbox's clock that was never set. */
export const sandboxClockFinding = (facts: ClockFacts): ReadonlyArray<Finding> => {
  if (facts.lead === 0 && facts.until === null) return []
  const [found = finding("sandbox clock", "ok", ahead(facts.lead))] = judged(sandboxClockChecks, facts)
  return [found]
}

/** Looks at the clock in a database that has the table of it, and changes nothing. */
export const sandboxClockFindings = Effect.gen(function* () {
  const { cluster, mode } = yield* Settings
  const setting = yield* (yield* SandboxClockRepository).find
  return sandboxClockFinding({ ...setting, isProduction: mode === "production", isCluster: cluster !== undefined })
}).pipe(Effect.provide(SandboxClockRepository.layer), Effect.orDie)

/** What is looked at in the database. */
export const databaseChecks: ReadonlyArray<CheckRow> = [
  {
    about: "database",
    standing: "fail",
    when: "does not answer, refuses this user, or is older than PostgreSQL 15",
    todo: "set DATABASE_URL to one that runs and takes this user, or leave it unset."
  },
  ...serverChecks,
  ...clockChecks,
  {
    about: "migrations",
    standing: "fail",
    when: "a newer version's, or changed since they were applied",
    todo: "start the version that made them."
  },
  MIGRATIONS,
  NODES,
  {
    about: "signing key",
    standing: "fail",
    when: "`SECRET_KEY` does not open it",
    todo: "set SECRET_KEY to the key that the database was used with."
  },
  ...breakerChecks,
  ...sandboxClockChecks
]

const keys = Layer.mergeAll(SigningKeyRepository.layer, Secrets.layer).pipe(Layer.provide(layerWebCrypto))
const arena = Breakers.layer.pipe(Layer.provide(BreakerRepository.layer))

const unknown = (error: { readonly message: string }): ReadonlyArray<Finding> => [
  finding("database", "fail", error.message)
]

/** Looks at what a database that answers tells of itself, and changes nothing. */
export const serverFindings: Effect.Effect<ReadonlyArray<Finding>, never, SqlClient | Settings> = Effect.gen(
  function* () {
    const { mode } = yield* Settings
    return factFindings(yield* databaseFacts, mode === "production")
  }
).pipe(Effect.catch((error) => Effect.succeed(unknown(error))))

/** Looks at what is kept in tables, where all are there, and changes nothing. */
export const tableFindings: Effect.Effect<ReadonlyArray<Finding>, never, SqlClient | Settings> = Effect.gen(
  function* () {
    const schema = yield* orFail(MIGRATIONS.about, migrations)
    if (schema.standing !== "ok") return [schema]
    return [
      schema,
      yield* orFail("signing key", Effect.provide(signing, keys)),
      yield* orFail("breakers", Effect.provide(breakers, arena)),
      ...(yield* sandboxClockFindings)
    ]
  }
)

/** Looks at a database that answers, and changes nothing. */
export const databaseFindings: Effect.Effect<ReadonlyArray<Finding>, never, SqlClient | Settings> = Effect.gen(
  function* () {
    const facts = yield* Effect.result(databaseFacts)
    if (facts._tag === "Failure") return unknown(facts.failure)
    const { mode } = yield* Settings
    return [
      ...factFindings(facts.success, mode === "production"),
      workerFinding(facts.success),
      ...(yield* nodes),
      ...(yield* tableFindings)
    ]
  }
)
