import { Clock, Effect, Option } from "effect"
import { Command } from "effect/cli"
import { make as makeCredential } from "../cluster/NodeCredential.ts"
import { HAND_OVER, nodeHeaders } from "../cluster/ForwardedRequest.ts"
import { nodeLags } from "../cluster/LagInquiry.ts"
import { type ListedNode, type NodeList, nodesNow } from "../database/NodeRepository.ts"
import type { NodeLags } from "../http/NodeLags.ts"
import { readSecret } from "../ClusterSettings.ts"
import { CommandFailed, explained } from "./CommandFailed.ts"
import { json, print } from "./CommandOutput.ts"
import { databaseSource, workingOn } from "./CommandSource.ts"
import { type DatabaseFlags, databaseFlags } from "./SourceFlags.ts"

const WIDTH = 28

/** How long another node may take until it writes, in milliseconds. */
const HAND_OVER_LIMIT = 30_000
const POLL = 100

const list = (given: DatabaseFlags) =>
  explained(Effect.flatMap(databaseSource(given), (source) => Effect.provide(nodesNow, workingOn(source))))

const nodeText = ({ address, since, writes }: ListedNode, { servingSince }: NodeList): string => {
  const there = since === undefined ? "gone" : `since ${since.toISOString()}`
  const role = !writes
    ? ""
    : servingSince === undefined
      ? ", takes over"
      : `, writes since ${servingSince.toISOString()}`
  return `${address.padEnd(WIDTH)}${there}${role}`
}

const lagText = (lag: number | undefined): string => (lag === undefined ? "" : `, ${lag} events behind`)

const ALONE = "No node of several works on this database. A server without CLUSTER=on works alone."

/** The nodes for a person, one a line. */
export const nodesText = (found: NodeList, lags: NodeLags): string =>
  found.nodes.length === 0
    ? ALONE
    : [
        ...found.nodes.map((node) => `${nodeText(node, found)}${lagText(lags.get(node.address))}`),
        `term ${found.term}, the tables lack ${found.lag} events`
      ].join("\n")

const asJson = ({ lag, nodes, servingSince, term, writer }: NodeList, lags: NodeLags) => ({
  nodes: nodes.map(({ address, since, writes }) => ({
    address,
    since: since?.toISOString() ?? null,
    writes,
    behind: lags.get(address) ?? null
  })),
  term: Number(term),
  writer: writer ?? null,
  serving_since: servingSince?.toISOString() ?? null,
  lag
})

/** Without `CLUSTER_SECRET` the nodes are not asked. */
const lagsOf = (found: NodeList): Effect.Effect<NodeLags> =>
  Effect.flatMap(Effect.option(readSecret), (secret): Effect.Effect<NodeLags> =>
    Option.isNone(secret) ? Effect.succeed(new Map()) : nodeLags(found, secret.value)
  )

const ask = async (url: string, headers: Headers, signal: AbortSignal): Promise<number> =>
  (await fetch(url, { method: "POST", headers, signal })).status

const handOverCommand = Command.make(
  "hand-over",
  { ...databaseFlags, json },
  Effect.fnUntraced(function* (given) {
    const before = yield* list(given)
    if (before.nodes.length === 0) return yield* new CommandFailed({ message: ALONE })
    if (before.writer === undefined || before.servingSince === undefined) {
      return yield* new CommandFailed({ message: "No node writes at the moment: emporion nodes lists them." })
    }
    const headers = nodeHeaders(makeCredential(yield* explained(readSecret)))
    const status = yield* Effect.promise((signal) =>
      ask(`http://${before.writer}${HAND_OVER}`, headers, signal).catch(() => 0)
    )
    if (status !== 202) {
      const why = status === 403 ? "it has another CLUSTER_SECRET" : "it cannot be reached from here"
      return yield* new CommandFailed({ message: `The node ${before.writer} was not asked: ${why}.` })
    }
    const until = (yield* Clock.currentTimeMillis) + HAND_OVER_LIMIT
    for (;;) {
      const now = yield* list(given)
      if (now.servingSince !== undefined && now.term > before.term) {
        return yield* print(
          given.json,
          asJson(now, yield* lagsOf(now)),
          `${now.writer} writes since ${now.servingSince.toISOString()}`
        )
      }
      if ((yield* Clock.currentTimeMillis) > until) {
        return yield* new CommandFailed({ message: "The node was asked, and none took over in time: emporion nodes." })
      }
      yield* Effect.sleep(POLL)
    }
  })
).pipe(
  Command.withShortDescription("Let another node write"),
  Command.withDescription(
    "Asks the node that writes to hand over to another one, and waits until that one writes. The first finishes what it " +
      "has begun and ends with exit code 0; its supervisor has to restart it. Needs CLUSTER_SECRET and the private network."
  ),
  Command.withExamples([{ command: "emporion nodes hand-over" }])
)

/** The nodes of a database. */
export const nodesCommand = Command.make(
  "nodes",
  { ...databaseFlags, json },
  Effect.fnUntraced(function* (given) {
    const found = yield* list(given)
    const lags = yield* lagsOf(found)
    yield* print(given.json, asJson(found, lags), nodesText(found, lags))
  })
).pipe(
  Command.withShortDescription("List the nodes, and let another one write"),
  Command.withDescription(
    "Lists the nodes that work on a database, which one writes and since when, its term, and how many events the tables " +
      "lack. Where CLUSTER_SECRET is set the nodes are asked how many events they are behind the one that writes. " +
      "docs/operating/cluster.md says how to run several."
  ),
  Command.withExamples([
    { command: "emporion nodes" },
    {
      command: "emporion nodes --json",
      description: "For a program: {nodes: [{address, since, writes, behind}], term, writer, serving_since, lag}"
    }
  ]),
  Command.withSubcommands([handOverCommand])
)
