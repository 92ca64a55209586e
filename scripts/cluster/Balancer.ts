import { connect, createServer, type Server, type Socket } from "node:net"

/** A node behind the balancer. */
export interface Backend {
  readonly host: string
  readonly port: number
}

/** How often the nodes are asked whether they are ready, and how long one may take to answer, in milliseconds. */
const PROBE_INTERVAL = 100
const PROBE_LIMIT = 1_000

/** How long a connection may take to be opened, in milliseconds, before the next node is tried. */
const CONNECT_LIMIT = 500

/**
 * A small load balancer of TCP connections: each new one goes to the next node that says that it is ready. Where a node
 * cannot be reached the next one is tried. What is sent on a connection it neither reads nor repeats.
 */
export class Balancer {
  readonly #ready = new Set<Backend>()
  readonly #server: Server
  readonly #timer: ReturnType<typeof setInterval>
  #next = 0

  private constructor(server: Server, backends: ReadonlyArray<Backend>) {
    this.#server = server
    server.on("connection", (socket) => this.#serve(socket, 0))
    this.#timer = setInterval(() => backends.forEach((backend) => void this.#probe(backend)), PROBE_INTERVAL)
  }

  /** Listens on a port of this machine; 0 takes any free one. */
  static listen(backends: ReadonlyArray<Backend>, port = 0): Promise<Balancer> {
    const server = createServer()
    const balancer = new Balancer(server, backends)
    return new Promise((resolve, reject) => {
      server.once("error", reject)
      server.listen(port, "127.0.0.1", () => resolve(balancer))
    })
  }

  get url(): string {
    const address = this.#server.address()
    return `http://127.0.0.1:${typeof address === "object" ? (address?.port ?? 0) : 0}`
  }

  /** Nodes that are ready. */
  get ready(): number {
    return this.#ready.size
  }

  close(): void {
    clearInterval(this.#timer)
    this.#server.close()
  }

  async #probe(backend: Backend): Promise<void> {
    try {
      const signal = AbortSignal.timeout(PROBE_LIMIT)
      const { ok } = await fetch(`http://${backend.host}:${backend.port}/health/ready`, { signal, keepalive: false })
      if (ok) this.#ready.add(backend)
      else this.#ready.delete(backend)
    } catch {
      this.#ready.delete(backend)
    }
  }

  #serve(client: Socket, tried: number): void {
    const ready = [...this.#ready]
    const backend = ready[this.#next++ % Math.max(1, ready.length)]
    client.on("error", () => client.destroy())
    if (backend === undefined || tried > ready.length) {
      client.destroy()
      return
    }
    const upstream = connect(backend)
    const late = setTimeout(() => upstream.destroy(new Error("late")), CONNECT_LIMIT)
    let isOpen = false
    upstream.once("connect", () => {
      isOpen = true
      clearTimeout(late)
      client.setNoDelay(true)
      upstream.setNoDelay(true)
      client.pipe(upstream).pipe(client)
    })
    upstream.on("error", () => {
      clearTimeout(late)
      this.#ready.delete(backend)
      if (isOpen) client.destroy()
      else this.#serve(client, tried + 1)
    })
    client.on("close", () => upstream.destroy())
    upstream.on("close", () => {
      if (isOpen) client.destroy()
    })
  }
}
