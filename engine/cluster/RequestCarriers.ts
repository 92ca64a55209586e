import { connectionOf } from "./RequestName.ts"

interface OpenCarrier {
  /** The number of the last request that was taken. */
  last: number
  readonly close: () => void
}

/**
 * The connections on which the node that writes takes other nodes' requests: of each node the newest. What is on one arrives
 * in order and once, so a number that is no higher than the last is a repetition. What is still on its way on an older one
 * does not count: its node has given that one up, and may have sent it again. For the same reason nothing is begun that was
 * taken while its connection was open, and waited since for something else.
 */
export class RequestCarriers {
  readonly #open = new Map<string, OpenCarrier>()
  /** By node. */
  readonly #newest = new Map<string, string>()

  /** A node has opened a connection, which ends its earlier one; false where that is no older, or the name is none. */
  open(connection: string, close: () => void): boolean {
    const opened = connectionOf(connection)
    if (opened === undefined) return false
    const earlier = this.#newest.get(opened.node) ?? ""
    if ((connectionOf(earlier)?.count ?? 0) >= opened.count) return false
    this.#newest.set(opened.node, connection)
    this.#open.set(connection, { last: 0, close })
    const replaced = this.#open.get(earlier)
    this.#open.delete(earlier)
    replaced?.close()
    return true
  }

  /** A connection has ended. */
  closed(connection: string): void {
    this.#open.delete(connection)
    const { node = "" } = connectionOf(connection) ?? {}
    if (this.#newest.get(node) === connection) this.#newest.delete(node)
  }

  /** Whether a node waits for answers on a connection. */
  isOpen(connection: string): boolean {
    return this.#open.has(connection)
  }

  /** Whether to take a request by its number on a connection. */
  takes(connection: string, number: number): boolean {
    const carrier = this.#open.get(connection)
    if (carrier === undefined || number <= carrier.last) return false
    carrier.last = number
    return true
  }
}
