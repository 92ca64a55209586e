import { PgConnection } from "@effect/sql-pg"
import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { join } from "node:path"
import { DATABASE, USER } from "../../src/database/PostgresCluster.ts"
import { socketFile, socketFolder } from "../../src/database/PostgresSocket.ts"
import { readPostmaster } from "../../src/database/Postmaster.ts"
import { sessionName } from "../../src/database/NodeSessions.ts"
import type { FaultKind, PlannedFault } from "./FaultPlan.ts"
import type { NodeProcess } from "./NodeProcess.ts"
import type { SmallCluster } from "./SmallCluster.ts"

/** How long the database may take to answer the trial, in milliseconds, and how often it is asked again. */
const ANSWER_LIMIT = 3_000
const TRIES = 20
const AGAIN = 250

/** How long a node may take to end and to be started again, in milliseconds. */
const RESTART_LIMIT = 30_000
const POLL = 20

type Rows = ReadonlyArray<Readonly<Record<string, unknown>>>

/** How to reach the embedded database of a folder. */
export const databaseIn = (folder: string) => ({
  path: socketFile(socketFolder(folder)),
  username: USER,
  database: DATABASE
})

const pidOf = (folder: string): number => readPostmaster(join(folder, "postgres"))?.pid ?? 0

/** What was done, and to which nodes. */
export interface Struck {
  /** When, in milliseconds of the clients' clock. */
  readonly at: number
  readonly nodes: ReadonlyArray<NodeProcess>
  readonly what: string
  /** Settles once nothing is stopped any more, and what ended was started again. */
  readonly isOver: Promise<void>
}

type Blow = Omit<Struck, "at">

const until = async (limit: number, look: () => boolean): Promise<void> => {
  const end = performance.now() + limit
  while (!look() && performance.now() < end) await Bun.sleep(POLL)
}

const late = async (): Promise<never> => {
  await Bun.sleep(ANSWER_LIMIT)
  throw new Error(`PostgreSQL did not answer within ${ANSWER_LIMIT} ms`)
}

/** Does to a cluster what a plan says. */
export class ClusterFaults {
  readonly #cluster: SmallCluster
  readonly #folder: string
  readonly #now: () => number

  constructor(cluster: SmallCluster, folder: string, now: () => number) {
    this.#cluster = cluster
    this.#folder = folder
    this.#now = now
  }

  /** The node that takes requests, or took them last. */
  async #writer(): Promise<NodeProcess> {
    const [row] = await this.#ask("SELECT address FROM writer_term")
    const { nodes } = this.#cluster
    const found = nodes.find(({ place }) => place.address === row?.["address"]) ?? nodes[0]
    if (found === undefined) throw new Error("there are no nodes")
    return found
  }

  /** Does all that a step says at the same time. */
  async make(step: PlannedFault): Promise<Struck> {
    const writer = await this.#writer()
    const at = this.#now()
    const struck = await Promise.all(step.kinds.map((kind, index) => this.#strike(kind, step, writer, index)))
    return {
      at,
      nodes: struck.flatMap(({ nodes }) => nodes),
      what: struck.map(({ what }) => what).join(", "),
      isOver: Promise.all(struck.map(({ isOver }) => isOver)).then(() => undefined)
    }
  }

  #strike(kind: FaultKind, step: PlannedFault, writer: NodeProcess, index: number): Promise<Blow> {
    const others = this.#cluster.nodes.filter((node) => node !== writer)
    const edge = others[(step.draw + index) % others.length] ?? writer
    switch (kind) {
      case "SIGKILL to the writer":
      case "SIGTERM to the writer":
        return this.#end(writer, kind)
      case "SIGKILL to an edge":
      case "SIGTERM to an edge":
        return this.#end(edge, kind)
      case "SIGTERM to each in turn":
        return this.#roll(others, writer)
      case "the writer stopped":
        return this.#stop(writer, step.stopped)
      case "an edge stopped":
        return this.#stop(edge, step.stopped)
      case "the lock's session ended":
        return this.#endSessions(kind, writer, "application_name = 'emporion lock'")
      case "the election's sessions ended":
        return this.#endSessions(kind, writer, `application_name = '${sessionName(writer.place.address)}'`)
      case "the writer's sessions ended":
        return this.#endSessions(kind, writer, "application_name = (SELECT sessions || ' writer' FROM writer_term)")
      case "all sessions ended":
        return this.#endSessions(kind, writer, "application_name LIKE 'emporion%'")
      case "a backend of the writer stopped":
        return this.#stopBackend(
          writer,
          step,
          `application_name IN ('emporion lock', '${sessionName(writer.place.address)}',
            (SELECT sessions FROM writer_term), (SELECT sessions || ' writer' FROM writer_term))`
        )
      case "a backend of an edge stopped":
        return this.#stopBackend(edge, step, `application_name = '${sessionName(edge.place.address)}'`)
      case "the way to the writer paused":
        return this.#pauseWay(writer, step.stopped)
      case "the way to an edge paused":
        return this.#pauseWay(edge, step.stopped)
      case "PostgreSQL restarted":
        process.kill(pidOf(this.#folder), "SIGINT")
        return Promise.resolve({ nodes: [], what: "PostgreSQL restarted", isOver: Promise.resolve() })
    }
  }

  #end(node: NodeProcess, kind: FaultKind): Promise<Blow> {
    const { starts } = node
    node.send(kind.startsWith("SIGKILL") ? "SIGKILL" : "SIGTERM")
    const isOver = until(RESTART_LIMIT, () => node.starts > starts)
    return Promise.resolve({ nodes: [node], what: `${kind} (${node.place.name})`, isOver })
  }

  #roll(others: ReadonlyArray<NodeProcess>, writer: NodeProcess): Promise<Blow> {
    const inTurn = async () => {
      for (const node of [...others, writer]) {
        await (
          await this.#end(node, "SIGTERM to an edge")
        ).isOver
        await node.ready()
      }
    }
    const isOver = inTurn().catch(() => undefined)
    return Promise.resolve({ nodes: [], what: "SIGTERM to each in turn", isOver })
  }

  #stop(node: NodeProcess, millis: number): Promise<Blow> {
    const { pid } = node
    node.send("SIGSTOP")
    const goOn = async (): Promise<void> => {
      await Bun.sleep(millis)
      if (node.pid === pid) node.send("SIGCONT")
    }
    return Promise.resolve({ nodes: [node], what: `${node.place.name} stopped for ${millis} ms`, isOver: goOn() })
  }

  #pauseWay(node: NodeProcess, millis: number): Promise<Blow> {
    const way = this.#cluster.wayTo(node)
    way?.pause()
    const isOver = Bun.sleep(millis).then(() => way?.goOn())
    // Whoever is reached by callers alone can answer them.
    const nodes = this.#cluster.nodes.filter((other) => other !== node)
    return Promise.resolve({ nodes, what: `the way to ${node.place.name} paused for ${millis} ms`, isOver })
  }

  async #endSessions(kind: FaultKind, writer: NodeProcess, which: string): Promise<Blow> {
    const rows = await this.#ask(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${which} AND pid <> pg_backend_pid()`
    )
    return { nodes: [writer], what: `${kind} (${rows.length} of ${writer.place.name})`, isOver: Promise.resolve() }
  }

  async #stopBackend(node: NodeProcess, { draw, stopped }: PlannedFault, which: string): Promise<Blow> {
    const rows = await this.#ask(
      `SELECT pid::text AS pid, application_name AS name FROM pg_stat_activity WHERE ${which} ORDER BY application_name, pid`
    )
    const row = rows[draw % Math.max(1, rows.length)]
    const pid = Number(row?.["pid"] ?? 0)
    const send = (signal: NodeJS.Signals) => {
      try {
        if (pid > 0) process.kill(pid, signal)
      } catch {
        // It ended meanwhile.
      }
    }
    send("SIGSTOP")
    const isOver = Bun.sleep(stopped).then(() => send("SIGCONT"))
    const what = `a backend of ${node.place.name} stopped for ${stopped} ms (${String(row?.["name"] ?? "none")})`
    return { nodes: [node], what, isOver }
  }

  /** Asks the database on a connection of its own, again while it is away. */
  async #ask(text: string): Promise<Rows> {
    for (let tries = 1; ; tries++) {
      try {
        return await Promise.race([Effect.runPromise(this.#once(text)), late()])
      } catch (error) {
        if (tries === TRIES) throw error
        await Bun.sleep(AGAIN)
      }
    }
  }

  #once(text: string): Effect.Effect<Rows, SqlError> {
    return Effect.scoped(
      Effect.flatMap(PgConnection.make({ ...databaseIn(this.#folder), applicationName: "trial" }), (connection) =>
        Effect.map(connection.query(text, [], false), ({ rows }) => rows as Rows)
      )
    )
  }
}
