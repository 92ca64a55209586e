import { describe, expect, it } from "bun:test"
import { Effect } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { NodeProcess } from "../../../scripts/cluster/NodeProcess.ts"
import { SmallCluster } from "../../../scripts/cluster/SmallCluster.ts"
import { trialAccounts } from "../../../scripts/cluster/TrialAccounts.ts"
import { GRACE } from "../../../src/bots/Reconnections.ts"
import { PATH } from "../../lib/BotOwner.ts"
import { RawLane } from "../../lib/RawLane.ts"

/** Two nodes start beside other tests, and one of them again. */
const LIMIT = 300_000

/** Far less than a WebSocket's pings need to notice that nobody is there, in milliseconds. */
const NOTICED_WITHIN = 60_000

const POLL = 100

const WRITES = "takes requests as the one that writes"

interface Switch {
  readonly halted: boolean
  readonly cause: string | null
}

const playing = async (play: (cluster: SmallCluster) => Promise<void>): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), "emporion-lost-"))
  const cluster = await SmallCluster.start({
    folder,
    nodes: 2,
    variables: { RATE_LIMITS: "off", SANDBOX_TRADERS: "0" }
  })
  try {
    await cluster.ready()
    await play(cluster)
  } catch (error) {
    for (const { log } of cluster.nodes) console.log(log)
    throw error
  } finally {
    await cluster.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

describe("A company's kill switch, where the node is lost that holds its connection", () => {
  it(
    "is pulled where the node stops, and not where its client is back on another one in time",
    () =>
      playing(async (cluster) => {
        const [{ token }] = await trialAccounts(cluster.balancer.url, cluster.nodes)
        const headers = { authorization: `Bearer ${token}` }
        const writer = cluster.nodes.find(({ log, said }) => `${log}${said}`.includes(WRITES))
        const other = cluster.nodes.find((node) => node !== writer)
        if (writer === undefined || other === undefined) throw new Error("no node writes")
        const look = async (): Promise<Switch> =>
          (await fetch(`${writer.url}${PATH}/kill-switch`, { headers })).json() as Promise<Switch>
        const armed = (node: NodeProcess) =>
          Effect.gen(function* () {
            const lane = yield* RawLane.open(node.url, { headers })
            const told = yield* lane.call("cancelOnDisconnect", { enabled: true })
            expect(told).toMatchObject({ halted: false, cancel_on_disconnect: true })
            return lane
          })
        const visit = Effect.gen(function* () {
          const first = yield* armed(other)
          other.send("SIGKILL")
          yield* first.closed
          const back = yield* armed(writer)
          yield* Effect.sleep(GRACE + 1_000)
          expect((yield* Effect.promise(look)).halted).toBe(false)
          yield* Effect.promise(() => other.ready())
          yield* armed(other)
          expect(yield* back.call("cancelOnDisconnect", { enabled: false })).toMatchObject({
            cancel_on_disconnect: true
          })
          other.send("SIGSTOP")
          const seen = yield* Effect.repeat(Effect.delay(Effect.promise(look), POLL), {
            until: ({ halted }) => halted
          }).pipe(Effect.timeout(NOTICED_WITHIN))
          expect(seen.cause).toBe("disconnected")
          other.send("SIGCONT")
        })
        await Effect.runPromise(Effect.scoped(visit))
      }),
    LIMIT
  )
})
