import { expect } from "bun:test"
import { PgConnection } from "@effect/sql-pg"
import { Effect, Exit } from "effect"
import { NodeProcess } from "../../scripts/cluster/NodeProcess.ts"
import { SmallCluster } from "../../scripts/cluster/SmallCluster.ts"
import { SeededRandom } from "../../engine/simulation/SeededRandom.ts"
import { ArenaStreamClient, type StreamItem } from "../../packages/client/src/ArenaStreamClient.ts"
import { type Attempt, attempt, load, signIn, type Trader } from "./CommitmentLoad.ts"
import { checkRecovery } from "./RecoveryCheck.ts"
import { embeddedDatabase, postgresPid, type ServerProcess } from "./ServerProcess.ts"

const WORKERS = 6
const MAX_REQUESTS = 1_000_000

/** How long the cluster has to recover from a fault before the next, and its subscribers to catch up, in milliseconds. */
const CALM_LIMIT = 30_000
const POLL = 20

const FAULTS = [
  "kill the writer",
  "kill an edge",
  "stop the writer",
  "stop an edge",
  "end the writer",
  "end an edge",
  "cut the sessions",
  "restart PostgreSQL"
] as const

/** What is done to a node, or to the database. */
export type Fault = (typeof FAULTS)[number]

export interface TrialOptions {
  /** An absolute folder for the database. */
  readonly folder: string
  /** How long faults are made, in milliseconds. */
  readonly millis: number
  readonly seed: number
  readonly log: (line: string) => void
}

/** What a trial came to. */
export interface TrialReport {
  readonly faults: number
  readonly requests: number
  readonly unknown: number
  /** Per kind of fault: milliseconds from it to the first acknowledgement of a request that began after it. */
  readonly gaps: ReadonlyMap<Fault, ReadonlyArray<number>>
  readonly events: number
}

/** What one subscriber of one node was told, by sequence. */
class Subscriber {
  readonly told = new Map<number, string>()
  readonly faults: Array<string> = []
  readonly #client: ArenaStreamClient
  #last = 0
  from: number | undefined

  constructor(url: string) {
    this.#client = new ArenaStreamClient({ url, snapshot: false, onItem: (item) => this.#take(item) })
    this.#client.start()
  }

  get last(): number {
    return this.#last
  }

  close(): void {
    this.#client.close()
    if (this.#client.breaches > 0) this.faults.push(`${this.#client.breaches} breaches`)
  }

  #take(item: StreamItem): void {
    if (item.kind === "price") return
    const { seq } = item.position
    if (item.kind !== "event") this.faults.push(`${item.kind} at ${seq}`)
    else if (seq <= this.#last) this.faults.push(`event ${seq} behind ${this.#last}`)
    else {
      this.from ??= seq
      this.told.set(seq, JSON.stringify(item.frames.map(({ type, data }) => ({ type, data }))))
    }
    this.#last = Math.max(this.#last, seq)
  }
}

const credentials = (nodes: ReadonlyArray<NodeProcess>, line: string) => {
  for (const { said } of nodes) {
    const [, name, secret] = new RegExp(`^${line} +(\\S+)  (\\S+)$`, "m").exec(said) ?? []
    if (name !== undefined && secret !== undefined) return { name, secret }
  }
  throw new Error(`no node showed ${line}`)
}

const until = async (what: string, limit: number, look: () => Promise<boolean> | boolean): Promise<void> => {
  const end = performance.now() + limit
  while (!(await look())) {
    if (performance.now() > end) throw new Error(`not within ${limit} ms: ${what}`)
    await Bun.sleep(POLL)
  }
}

const SERVES = /"message":"This node takes requests as the one that writes\.".*?"timestamp":"([^"]+)"/g

/** When a node last began to take requests as the writer. */
const servedAt = ({ log }: NodeProcess): string => [...log.matchAll(SERVES)].at(-1)?.[1] ?? ""

/** The node that took over last. */
export const writerOf = (nodes: ReadonlyArray<NodeProcess>): NodeProcess => {
  const [writer] = nodes.toSorted((one, other) => servedAt(other).localeCompare(servedAt(one)))
  if (writer === undefined) throw new Error("there are no nodes")
  return writer
}

const mint = (trader: Trader, key: string): Attempt => ({
  trader,
  path: "/v1/funds",
  key,
  body: { owner: trader.userId, type: "USD", symbol: "1.5" },
  answer: undefined
})

/** Ends the locks of the nodes, and the sessions of the one that writes. */
const cutSessions = (folder: string) =>
  Effect.scoped(
    Effect.flatMap(PgConnection.make(embeddedDatabase(folder)), (connection) =>
      connection.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE application_name LIKE 'emporion%' AND pid <> pg_backend_pid()`
      )
    )
  )

/** A cluster under load, what is done to it, and what all of its clients saw. */
class Trial {
  readonly #cluster: SmallCluster
  readonly #random: SeededRandom
  readonly #options: TrialOptions
  readonly gaps = new Map<Fault, Array<number>>()
  readonly probes: Array<Attempt> = []
  faults = 0

  constructor(cluster: SmallCluster, options: TrialOptions) {
    this.#cluster = cluster
    this.#random = new SeededRandom(options.seed, "cluster trial")
    this.#options = options
  }

  /** Makes one fault, measures the gap and waits for all nodes. */
  async fault(kind: Fault, trader: Trader): Promise<void> {
    const { nodes } = this.#cluster
    const writer = writerOf(nodes)
    const others = nodes.filter((node) => node !== writer)
    const isWriter = kind.endsWith("the writer")
    const node = isWriter ? writer : (others[this.#random.below(others.length)] ?? writer)
    const witness = others.find((other) => other !== node) ?? writer
    const began = performance.now()
    const starts = node.starts
    await this.#make(kind, node)
    const gap = (await this.#acknowledged(witness.url, trader)) - began
    this.faults += 1
    this.gaps.set(kind, [...(this.gaps.get(kind) ?? []), gap])
    this.#options.log(`${kind}: ${node.place.name}, ${Math.round(gap)} ms`)
    if (/^(kill|end)/.test(kind)) await until("the node's new start", CALM_LIMIT, () => node.starts > starts)
    else await Bun.sleep(10_500 - Math.min(gap, 10_000))
    await Promise.race([this.#cluster.ready(), Bun.sleep(CALM_LIMIT)])
  }

  async #make(kind: Fault, node: NodeProcess): Promise<void> {
    const { folder } = this.#options
    if (kind === "restart PostgreSQL") process.kill(postgresPid(folder), "SIGINT")
    else if (kind === "cut the sessions") await Effect.runPromise(cutSessions(folder))
    else if (kind.startsWith("stop")) {
      node.send("SIGSTOP")
      setTimeout(() => node.send("SIGCONT"), 1_000 + this.#random.below(9_000))
    } else node.send(kind.startsWith("kill") ? "SIGKILL" : "SIGTERM")
  }

  async #acknowledged(url: string, trader: Trader): Promise<number> {
    for (;;) {
      const one = mint(trader, `probe-${this.probes.length}`)
      this.probes.push(one)
      const answer = await Effect.runPromise(attempt(url, one))
      if (answer?.status === 200) return performance.now()
      if (answer !== undefined && answer.status < 500) throw new Error(`a probe was refused: ${answer.text}`)
      await Bun.sleep(POLL)
    }
  }

  next(): Fault {
    return this.#random.pick(FAULTS)
  }
}

const compare = (subscribers: ReadonlyArray<Subscriber>): number => {
  const from = Math.max(...subscribers.map((one) => one.from ?? 0))
  const [first, ...others] = subscribers.map(
    ({ told }) => new Map([...told].filter(([seq]) => seq >= from).toSorted(([one], [other]) => one - other))
  )
  for (const other of others) expect([...other.keys()]).toEqual([...(first?.keys() ?? [])])
  for (const other of others) expect([...other.values()]).toEqual([...(first?.values() ?? [])])
  for (const { faults } of subscribers) expect(faults).toEqual([])
  return first?.size ?? 0
}

const commitmentsOf = (subscribers: ReadonlyArray<Subscriber>): ReadonlySet<string> => {
  const ids = new Set<string>()
  for (const { told } of subscribers) {
    for (const [, id = ""] of [...told.values()]
      .join()
      .matchAll(/"commitment_submitted","data":\{[^}]*?"commitment_id":"([^"]+)"/g)) {
      ids.add(id)
    }
  }
  return ids
}

/** A machine under load may elect anew at any time: a token that is asked for meanwhile is asked for again. */
const signedIn = async (server: Pick<ServerProcess, "url" | "client" | "person">): Promise<ReadonlyArray<Trader>> => {
  let traders: ReadonlyArray<Trader> = []
  await until("a sign-in", CALM_LIMIT, async () => {
    const exit = await Effect.runPromiseExit(signIn(server))
    if (Exit.isSuccess(exit)) traders = exit.value
    return Exit.isSuccess(exit)
  })
  return traders
}

/**
 * Makes faults on a cluster of three nodes under load, one after another, and checks what each of its clients saw: each
 * acknowledgement stands in the journal once, each request of unknown outcome is there at most once and gets its one
 * answer when it is sent again, the ledger adds up, and each subscriber of each node was told exactly the same.
 */
export const runTrial = async (options: TrialOptions): Promise<TrialReport> => {
  const cluster = await SmallCluster.start({
    folder: options.folder,
    variables: { ARENA_PROFILE: "demo", RATE_LIMITS: "off", SANDBOX_TRADERS: "0", LOG_LEVEL: "info" }
  })
  try {
    await cluster.ready()
    const { balancer, nodes } = cluster
    const url = balancer.url
    const client = credentials(nodes, "API client")
    const person = credentials(nodes, "Demo login")
    const traders = await signedIn({ url, client, person })
    const [trader] = traders
    if (trader === undefined) throw new Error("nobody signed in")
    const subscribers = nodes.map((node) => new Subscriber(node.url))
    const trial = new Trial(cluster, options)
    let isOver = false
    const loading = Effect.runPromise(
      load({
        url,
        traders,
        name: "load",
        workers: WORKERS,
        limit: MAX_REQUESTS,
        onEnd: () => undefined,
        isOver: () => isOver
      })
    )
    const end = performance.now() + options.millis
    while (performance.now() < end) await trial.fault(trial.next(), trader)
    isOver = true
    const attempts = [...(await loading), ...trial.probes]
    await cluster.ready()
    const { report, unknown } = await Effect.runPromise(
      checkRecovery(url, options.folder, attempts, commitmentsOf(subscribers))
    )
    const last = Math.max(...subscribers.map((one) => one.last))
    await until("every subscriber at the end", CALM_LIMIT, () => subscribers.every((one) => one.last >= last))
    for (const subscriber of subscribers) subscriber.close()
    const events = compare(subscribers)
    expect(report.lastSeq).toBeGreaterThan(0)
    return { faults: trial.faults, requests: attempts.length, unknown, gaps: trial.gaps, events }
  } catch (error) {
    for (const { log, place, starts } of cluster.nodes)
      options.log(`${place.name}, ${starts} starts:\n${log.slice(-3_000)}`)
    throw error
  } finally {
    await cluster.stop()
  }
}

const quantile = (sorted: ReadonlyArray<number>, part: number): number =>
  Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0)

/** The gaps as a table, in milliseconds. */
export const gapsText = ({ gaps }: TrialReport): string =>
  [...gaps]
    .map(([fault, all]) => {
      const sorted = all.toSorted((one, other) => one - other)
      return `${fault.padEnd(16)}  ${all.length} times, p50 ${quantile(sorted, 0.5)} ms, p99 ${quantile(sorted, 0.99)} ms`
    })
    .join("\n")
