import { describe, expect } from "bun:test"
import { Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { PausingProxy } from "../../../scripts/cluster/PausingProxy.ts"
import { itLive } from "../../lib/Effects.ts"
import { openedOn } from "../../lib/OpenedArena.ts"
import { ask } from "../../lib/Requests.ts"
import { twoNodesWith } from "../../lib/TwoNodes.ts"

/** Two nodes, the other one behind a proxy, and a commitment without a key that is asked for through it. */
const behindProxy = Effect.gen(function* () {
  const proxies: Array<PausingProxy> = []
  const via = (address: string) =>
    Effect.map(
      Effect.acquireRelease(
        Effect.promise(() => PausingProxy.listen(0, { host: "127.0.0.1", port: Number(address.split(":")[1]) })),
        (proxy) => Effect.sync(() => proxy.close())
      ),
      (proxy) => {
        proxies.push(proxy)
        return `127.0.0.1:${proxy.port}`
      }
    )
  const { elect, forwarding, server, urls } = yield* twoNodesWith({}, via)
  const { terms, trader } = yield* openedOn(server)
  const token = yield* server.token(trader.id)
  const commit = Effect.promise(() =>
    ask(urls[1], "/api/arena/commitments", {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      body: JSON.stringify(terms)
    })
  )
  const named = Effect.map(
    server.run(
      Effect.flatMap(
        SqlClient,
        (sql) => sql<{ readonly named: number }>`
          SELECT count(*)::integer AS named FROM journal WHERE body LIKE '%' || chr(9) || '@%'`
      )
    ),
    ([found]) => found?.named
  )
  const all = Effect.map(
    server.get<{ readonly commitments: ReadonlyArray<unknown> }>("/api/arena/commitments/my?limit=100", trader.id),
    ({ json }) => json.commitments.length
  )
  const [proxy] = proxies
  if (proxy === undefined) return yield* Effect.die("there is no proxy")
  // The node names from its first answer on.
  yield* Effect.repeat(Effect.andThen(commit, named), { until: (count) => count === 1 })
  return { all, before: yield* all, commit, elect, forwarding, named, proxy }
})

describe("What a node had named before it was elected itself", () => {
  itLive("was executed, and is answered as that was", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { all, before, commit, elect, named, proxy } = yield* behindProxy
        proxy.loseAnswers()
        const asking = yield* Effect.forkChild(commit, { startImmediately: true })
        yield* Effect.repeat(named, { until: (count) => count === 2 })
        yield* elect
        const answer = yield* Fiber.join(asking)
        expect([answer.status, answer.headers.has("idempotency-replayed")]).toEqual([200, false])
        expect([yield* all, yield* named]).toEqual([before + 1, 2])
        expect((yield* commit).status).toBe(200)
      })
    )
  )

  itLive("was never executed, and is executed once", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { all, before, commit, elect, forwarding, named, proxy } = yield* behindProxy
        proxy.pause()
        const asking = yield* Effect.forkChild(commit, { startImmediately: true })
        yield* Effect.repeat(forwarding, { until: (count) => count === 1 })
        yield* elect
        expect((yield* Fiber.join(asking)).status).toBe(200)
        expect([yield* all, yield* named]).toEqual([before + 1, 2])
        proxy.goOn()
      })
    )
  )
})
