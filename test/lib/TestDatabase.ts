import { type PgClient, PgConnection } from "@effect/sql-pg"
import { Duration, Effect, Exit, Layer, Scope } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { randomBytes } from "node:crypto"
import { dirname } from "node:path"
import * as BoundedClient from "../../src/database/BoundedClient.ts"
import { type Connected, type DatabaseUnreachable, embeddedPool } from "../../src/database/Database.ts"
import { KeyIndex } from "../../src/database/StoredKeyIndex.ts"
import { WriterTerm } from "../../src/database/WriterTerm.ts"
import { DATABASE, USER } from "../../src/database/PostgresCluster.ts"
import { startTestPostgres, TEST_POSTGRES } from "./TestPostgres.ts"

/**
 * Connections of one test database's client, all opened at once: three transactions go side by side. Each one costs
 * PostgreSQL a process that reads the catalog anew, which is much of what a test database costs.
 */
const CONNECTIONS = 3

let own: Promise<string> | undefined

/** The socket of the run's PostgreSQL; outside of a run, of this process's own. */
const socket = (): Promise<string> => {
  own ??= Promise.resolve(process.env[TEST_POSTGRES] ?? startTestPostgres().then(({ path }) => path))
  return own
}

export interface TestDatabase {
  readonly name: string
  readonly config: PgClient.PgPoolConfig
  /** For a server in another process, as its `DATABASE_URL`. */
  readonly url: string
  /** The client that is used, where it is not the driver's own. */
  readonly client?: Layer.Layer<Connected, SqlError | DatabaseUnreachable>
}

/** Of what stays until the process ends. */
const lasting = Scope.makeUnsafe()

/** The connection that makes and drops all databases of this process, and the way to have another one made. */
const [administrator, renounce] = Effect.runSync(
  Effect.cachedInvalidateWithTTL(
    Effect.flatMap(Effect.promise(socket), (path) =>
      Scope.provide(PgConnection.make({ path, username: USER, database: "postgres" }), lasting)
    ),
    (exit) => (Exit.isSuccess(exit) ? Duration.infinity : 0)
  )
)

const administer = (statement: string): Effect.Effect<void, SqlError> =>
  Effect.flatMap(administrator, (connection) => connection.query(statement, [], false)).pipe(
    Effect.tapError(() => renounce),
    Effect.asVoid
  )

const create = (template: string): Effect.Effect<TestDatabase, SqlError, Scope.Scope> =>
  Effect.gen(function* () {
    const path = yield* Effect.promise(socket)
    const name = `test_${randomBytes(8).toString("hex")}`
    yield* Effect.acquireRelease(administer(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`), () =>
      Effect.ignore(administer(`DROP DATABASE ${name} WITH (FORCE)`))
    )
    const config = {
      ...embeddedPool({ path, username: USER, database: name }),
      minConnections: CONNECTIONS,
      maxConnections: CONNECTIONS
    }
    return { name, config, url: `postgresql://${USER}@localhost/${name}?host=${encodeURIComponent(dirname(path))}` }
  })

/** A fresh database with the migrated schema, dropped at the end of the scope. */
export const testDatabase: Effect.Effect<TestDatabase, SqlError, Scope.Scope> = create(DATABASE)

/** A fresh, migrated database that stays until PostgreSQL ends, for others to be copied from. */
export const lastingDatabase: Effect.Effect<TestDatabase, SqlError> = Scope.provide(testDatabase, lasting)

/** A fresh database that begins with what another one has, to which nobody is connected at the moment. */
export const copyOf = ({ name }: TestDatabase): Effect.Effect<TestDatabase, SqlError, Scope.Scope> => create(name)

/** A fresh database without any table. */
export const emptyDatabase: Effect.Effect<TestDatabase, SqlError, Scope.Scope> = create("template1")

const clientOf = (database: typeof testDatabase): Layer.Layer<Connected, SqlError> =>
  Layer.fresh(BoundedClient.layer(Effect.flatMap(database, ({ config }) => BoundedClient.make(config))))

/** The term of a server that shares its connections with its rivals, so that they are not asked whose they are. */
export const sharingTerm = Layer.provide(
  WriterTerm.layer,
  Layer.sync(BoundedClient.ConnectionCheck, () => new BoundedClient.ConnectionChecking())
)

/** A client on a fresh, migrated database of its own each time it is built, with the right to append to its journal. */
export const layer: Layer.Layer<Connected | KeyIndex | WriterTerm, SqlError> = Layer.fresh(
  Layer.mergeAll(sharingTerm, KeyIndex.layer)
).pipe(Layer.provideMerge(clientOf(testDatabase)))

/** A client on a fresh database without any table. */
export const emptyLayer: Layer.Layer<Connected, SqlError> = clientOf(emptyDatabase)
