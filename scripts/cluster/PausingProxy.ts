import { connect, createServer, type Server, type Socket } from "node:net"

/** Where it passes connections on to. */
export type Behind = { readonly host: string; readonly port: number } | { readonly path: string }

/**
 * Passes connections on byte for byte. While it is paused nothing gets through in either direction, and nobody is told: what
 * was sent waits, and new connections are taken and hear nothing.
 */
export class PausingProxy {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  /** Those of them that answer. */
  readonly #answering = new Set<Socket>()
  #losesAnswers = false
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
    for (const socket of this.#sockets) if (!this.#isHeldUp(socket)) socket.resume()
  }

  /** From now on no answer gets through, and nobody is told. */
  loseAnswers(): void {
    this.#losesAnswers = true
    for (const socket of this.#answering) socket.pause()
  }

  close(): void {
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
  }

  #isHeldUp(socket: Socket): boolean {
    return this.#pauses > 0 || (this.#losesAnswers && this.#answering.has(socket))
  }

  #pass(one: Socket, other: Socket): void {
    this.#answering.add(other)
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
        to.once("drain", () => void (!this.#isHeldUp(from) && from.resume()))
      })
      from.on("error", () => to.destroy())
      from.on("close", () => {
        this.#sockets.delete(from)
        this.#answering.delete(from)
        to.end()
      })
      if (this.#isHeldUp(from)) from.pause()
    }
  }
}
