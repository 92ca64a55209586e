import { Effect, Exit, Scope } from "effect"
import { randomBytes } from "node:crypto"
import { mkdirSync } from "node:fs"
import { dirname, join } from "node:path"
import { startEmbeddedPostgres } from "../../src/database/EmbeddedPostgres.ts"
import { Balancer } from "./Balancer.ts"
import { freePorts } from "./FreePorts.ts"
import { type NodePlace, NodeProcess } from "./NodeProcess.ts"
import { PausingProxy } from "./PausingProxy.ts"

/** What a small cluster is started with. */
export interface SmallClusterOptions {
  /** An absolute folder for the database, made when missing. */
  readonly folder: string
  readonly nodes?: number
  /** The balancer's port; the nodes' follow it. 0 takes any free ones. */
  readonly port?: number
  /** Of every node. */
  readonly variables?: Readonly<Record<string, string>>
  /** The folder of the program that all nodes begin with; this one's unless told. */
  readonly program?: string
  /** False gives up durability for speed. */
  readonly durable?: boolean
}

const portOf = (address: string): number => Number(address.slice(address.lastIndexOf(":") + 1))

/** A node, and the proxy by which the other nodes reach it. */
const placed = async (place: NodePlace): Promise<readonly [NodeProcess, PausingProxy]> => {
  const proxy = await PausingProxy.listen(portOf(place.address), { host: "127.0.0.1", port: portOf(place.listen) })
  return [new NodeProcess(place), proxy]
}

/** Nodes on one embedded PostgreSQL, behind a balancer. They reach each other through proxies. */
export class SmallCluster {
  readonly nodes: ReadonlyArray<NodeProcess>
  readonly balancer: Balancer
  /** As the nodes reach the database. */
  readonly databaseUrl: string
  readonly variables: Readonly<Record<string, string>>
  readonly #database: Scope.Closeable
  readonly #ways: ReadonlyMap<NodeProcess, PausingProxy>

  private constructor(
    placed: ReadonlyArray<readonly [NodeProcess, PausingProxy]>,
    balancer: Balancer,
    started: { readonly url: string; readonly scope: Scope.Closeable },
    variables: Readonly<Record<string, string>>
  ) {
    this.nodes = placed.map(([node]) => node)
    this.#ways = new Map(placed)
    this.balancer = balancer
    this.databaseUrl = started.url
    this.#database = started.scope
    this.variables = variables
  }

  static async start({
    durable = true,
    folder,
    nodes = 3,
    port = 0,
    program,
    variables = {}
  }: SmallClusterOptions): Promise<SmallCluster> {
    mkdirSync(folder, { recursive: true })
    const scope = Effect.runSync(Scope.make())
    const { path } = await Effect.runPromise(
      Effect.map(startEmbeddedPostgres({ dataDir: folder, durable }), ({ connection }) => connection).pipe(
        Scope.provide(scope)
      )
    )
    const url = `postgresql://emporion@localhost/emporion?host=${encodeURIComponent(dirname(path))}`
    const shared = {
      APP_MODE: "sandbox",
      DATABASE_URL: url,
      SECRET_KEY: randomBytes(32).toString("hex"),
      CLUSTER_SECRET: randomBytes(32).toString("hex"),
      ...variables
    }
    const free = port === 0 ? await freePorts(3 * nodes) : []
    const ports = Array.from({ length: nodes }, (_, index) => free[index] ?? port + 1 + index)
    const balancer = await Balancer.listen(
      ports.map((one) => ({ host: "127.0.0.1", port: one })),
      port
    )
    const places = ports.map((one, index) => ({
      name: `node ${index + 1}`,
      port: one,
      address: `127.0.0.1:${free[nodes + index] ?? port + 101 + index}`,
      listen: `127.0.0.1:${free[2 * nodes + index] ?? port + 201 + index}`,
      variables: { PUBLIC_URL: balancer.url, ...shared, DATA_DIR: join(folder, `node-${index + 1}`) },
      ...(program !== undefined && { program })
    }))
    return new SmallCluster(await Promise.all(places.map(placed)), balancer, { url, scope }, shared)
  }

  /** The proxy by which the other nodes reach a node. */
  wayTo(node: NodeProcess): PausingProxy | undefined {
    return this.#ways.get(node)
  }

  /** Waits until all nodes are ready. */
  async ready(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.ready()))
    while (this.balancer.ready < this.nodes.length) await Bun.sleep(20)
  }

  /** Ends the nodes, one after another, and the database. Answers the nodes' exit codes. */
  async stop(): Promise<ReadonlyArray<number | null>> {
    const codes: Array<number | null> = []
    for (const node of this.nodes) codes.push(await node.end())
    for (const way of this.#ways.values()) way.close()
    this.balancer.close()
    await Effect.runPromise(Scope.close(this.#database, Exit.void))
    return codes
  }
}
