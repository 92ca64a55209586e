import { Clock, Effect } from "effect"
import type { NodeProcess } from "../cluster/NodeProcess.ts"
import { startNodes } from "./BenchNodes.ts"
import { commitTo, fill } from "./BenchWorld.ts"
import type { Bench } from "./Case.ts"
import type { Row } from "./Row.ts"
import { spreadOf } from "./Sample.ts"

interface Scale {
  readonly orders: number
  readonly rounds: number
}

const FULL: Scale = { orders: 10_000, rounds: 7 }
const QUICK: Scale = { orders: 20, rounds: 1 }

/** Milliseconds that an acknowledgement may take, and between two looks at a node's log. */
const LIMIT = 30_000
const LOOK = 5

/** A takeover's moments, in milliseconds since 1970. */
interface Takeover {
  readonly killed: number
  readonly elected: number
  readonly serving: number
  readonly acknowledged: number
}

const MOMENTS = { elected: "was elected to write", serving: "takes requests as the one that writes" } as const

/** When a line of a node's log was written that says so, for the last time. */
const momentOf = (log: string, said: string): number | undefined => {
  const line = log
    .split("\n")
    .toReversed()
    .find((one) => one.includes(said))
  return line === undefined ? undefined : Date.parse((JSON.parse(line) as { readonly timestamp: string }).timestamp)
}

const committed = async (url: string, token: string, orderId: string): Promise<boolean> => {
  const { body, line } = commitTo(orderId)
  const [, path = ""] = line.split(" ")
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
  const response = await fetch(url + path, { method: "POST", headers, body, signal: AbortSignal.timeout(LIMIT) })
  await response.arrayBuffer()
  return response.status === 200
}

/** Kills the node that writes, and commits at the other one until it is acknowledged. */
const takeover = Effect.fnUntraced(function* (
  writer: NodeProcess,
  other: NodeProcess,
  commit: (url: string) => Effect.Effect<boolean>
) {
  const before = other.log.length
  const killed = yield* Clock.currentTimeMillis
  writer.send("SIGKILL")
  yield* Effect.repeat(commit(other.url), { until: (isAcknowledged) => isAcknowledged })
  const acknowledged = yield* Clock.currentTimeMillis
  yield* Effect.repeat(Effect.sleep(LOOK), { until: () => other.log.slice(before).includes(MOMENTS.serving) })
  const log = other.log.slice(before)
  const elected = momentOf(log, MOMENTS.elected) ?? Number.NaN
  const serving = momentOf(log, MOMENTS.serving) ?? Number.NaN
  yield* Effect.promise(() => writer.ready())
  return { killed, elected, serving, acknowledged } satisfies Takeover
})

/** How long a node takes that is elected while many orders are open, until it acknowledges a commitment. */
export const promotion = Effect.fnUntraced(function* ({ postgres, quick, say }: Bench) {
  const { orders, rounds } = quick ? QUICK : FULL
  say(`${orders} open orders`)
  const database = yield* postgres.create()
  const { orderIds, tokens } = yield* fill(postgres, database, { traders: 4, orders, commitments: 0 })
  const nodes = yield* startNodes(postgres, database, 2, { LOG_LEVEL: "info" })
  const commit = (url: string) =>
    Effect.promise(() => committed(url, tokens[0] ?? "", orderIds.at(-1) ?? "").catch(() => false))
  const found: Array<Takeover> = []
  for (let round = 0; round < rounds; round++) {
    const [writer, other] = round % 2 === 0 ? nodes : nodes.toReversed()
    if (writer === undefined || other === undefined) return yield* Effect.die(new Error("no nodes"))
    found.push(yield* takeover(writer, other, commit))
  }
  const row = (what: string, of: (one: Takeover) => number, target?: Row["target"]): Row => ({
    key: "u",
    what,
    unit: "ms",
    ours: spreadOf(found.map(of)),
    ...(target === undefined ? {} : { target })
  })
  return [
    row(
      `from being elected with ${orders} open orders to the first acknowledgement`,
      ({ acknowledged, elected }) => acknowledged - elected,
      { bound: 500, at: "most" }
    ),
    row("  of these until it takes requests", ({ elected, serving }) => serving - elected),
    row("  from the kill until another node is elected", ({ elected, killed }) => elected - killed)
  ] satisfies ReadonlyArray<Row>
}, Effect.scoped)
