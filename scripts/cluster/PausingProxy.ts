import { connect, createServer, type Server, type Socket } from "node:net"

/** Where it passes connections on to. */
export interface Behind {
  readonly host: string
  readonly port: number
}

/**
 * Passes connections on byte for byte. While it is paused nothing gets through in either direction, and nobody is told: what
 * was sent waits, and new connections are taken and hear nothing.
 */
export class PausingProxy {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  /** How often it was paused and not let go on yet. */
  #pauses = 0

  private constructor(server: Server, behind: Behind) {
    this.#server = server
    server.on("connection", (socket) => this.#pass(socket, connect(behind)))
  }

  static listen(port: number, behind: Behind): Promise<PausingProxy> {
    const server = createServer()
    const proxy = new PausingProxy(server, behind)
    return new Promise((resolve, reject) => {
      server.once("error", reject)
      server.listen(port, "127.0.0.1", () => resolve(proxy))
    })
  }

  get port(): number {
    const address = this.#server.address()
    return typeof address === "object" ? (address?.port ?? 0) : 0
  }

  /** Holds everything up. May be called again before it goes on. */
  pause(): void {
    this.#pauses += 1
    for (const socket of this.#sockets) socket.pause()
  }

  /** Ends one pause. Everything goes on once the last one is over. */
  goOn(): void {
    this.#pauses -= 1
    if (this.#pauses === 0) for (const socket of this.#sockets) socket.resume()
  }

  close(): void {
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
  }

  #pass(one: Socket, other: Socket): void {
    for (const [from, to] of [
      [one, other],
      [other, one]
    ] as const) {
      this.#sockets.add(from)
      from.setNoDelay(true)
      from.on("data", (data) => {
        // Whoever reads slowly is waited for.
        if (to.write(data)) return
        from.pause()
        to.once("drain", () => void (this.#pauses === 0 && from.resume()))
      })
      from.on("error", () => to.destroy())
      from.on("close", () => {
        this.#sockets.delete(from)
        to.end()
      })
      if (this.#pauses > 0) from.pause()
    }
  }
}
