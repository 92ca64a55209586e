/** How long a connection is remembered, in milliseconds: its port may be another one's then. */
const MEMORY = 10_000

/** Connections that are remembered; the oldest makes room. */
const MAX_REMEMBERED = 10_000

/**
 * Connections that had their last answer. Deno leaves it to the client to close one after `Connection: close`: what a
 * client sends nevertheless is cut off.
 */
export class ClosedConnections {
  /** By address and port, until when in milliseconds. */
  readonly #until = new Map<string, number>()

  get size(): number {
    return this.#until.size
  }

  add(address: string, port: number, now: number): void {
    const key = `${address} ${port}`
    this.#until.delete(key)
    this.#until.set(key, now + MEMORY)
    if (this.#until.size <= MAX_REMEMBERED) return
    for (const oldest of this.#until.keys()) return void this.#until.delete(oldest)
  }

  /** Whether a connection had its last answer. It is forgotten. */
  take(address: string, port: number, now: number): boolean {
    if (this.#until.size === 0) return false
    const key = `${address} ${port}`
    const until = this.#until.get(key)
    return until !== undefined && this.#until.delete(key) && now < until
  }
}
