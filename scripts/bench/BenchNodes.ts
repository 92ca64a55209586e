import { Effect } from "effect"
import type { Scope } from "effect"
import { randomBytes } from "node:crypto"
import { Settings } from "../../src/Config.ts"
import { issuer } from "../../src/identity/tokens/Issuer.ts"
import { NodeProcess } from "../cluster/NodeProcess.ts"
import { freePorts } from "../cluster/FreePorts.ts"
import { type BenchPostgres, temporaryFolder } from "./BenchPostgres.ts"
import { variablesOf } from "./BenchWorld.ts"

/** Started one after another, so that the first one writes. */
const started = (name: string, variables: Readonly<Record<string, string>>) =>
  Effect.gen(function* () {
    const folder = yield* temporaryFolder("node")
    const node = yield* Effect.acquireRelease(
      Effect.map(
        Effect.promise(() => freePorts(2)),
        ([port = 0, inner = 0]) => {
          const address = `127.0.0.1:${inner}`
          const own = { ...variables, PORT: String(port), DATA_DIR: folder }
          return new NodeProcess({ name, port, address, listen: address, variables: own })
        }
      ),
      (one) => Effect.promise(() => one.end("SIGKILL"))
    )
    yield* Effect.promise(() => node.ready())
    return node
  })

/** Ready nodes on a database that was filled before, each in a process of its own. The first one writes. */
export const startNodes = Effect.fnUntraced(function* (
  postgres: BenchPostgres,
  database: string,
  count: number,
  settings: Readonly<Record<string, string>> = {}
): Effect.fn.Return<ReadonlyArray<NodeProcess>, never, Scope.Scope> {
  const usual = variablesOf(postgres, database)
  // What the database's tokens name.
  const publicUrl = yield* Effect.orDie(
    Effect.provide(
      Effect.map(Settings, ({ server }) => issuer(server)),
      Settings.layerOf(usual)
    )
  )
  const variables = {
    ...usual,
    LOG_LEVEL: "warn",
    PUBLIC_URL: publicUrl,
    CLUSTER_SECRET: randomBytes(32).toString("hex"),
    ...settings
  }
  return yield* Effect.forEach(Array.from({ length: count }), (_, index) => started(`node ${index + 1}`, variables))
})
