/** The connections of a simulated node to those that write, on which its clients' requests go by their names. */

import { Effect } from "effect"
import { connectionName, requestName } from "../cluster/RequestName.ts"
import { type Sent, UNKNOWN, UNSENT } from "../cluster/Resending.ts"
import type { NodeFaults } from "./NodeFaults.ts"
import { ELSEWHERE, type NodeRequest, type NodeResponse } from "./NodeRequest.ts"
import type { VirtualClock } from "./VirtualClock.ts"

/** Milliseconds until a connection that carries nothing is given up. */
export const GIVEN_UP = 800

/** Milliseconds until a connection breaks on which something comes late: it arrives behind that. */
const BREAKS = 20

/** Takes a response. */
export type Respond = (response: NodeResponse) => void

/** What a node knew before it named a request, and the name from its first sending on. */
export interface Naming {
  readonly behind: number
  name: string | undefined
}

/** A request on a connection. */
export interface CarriedRequest {
  readonly number: number
  readonly request: NodeRequest
  /** How many milliseconds after its arrival it is begun: whoever asks may have to be looked up first. */
  readonly begins: number
}

/** A process that writes, as others reach it. */
export interface CarryingProcess {
  readonly node: number
  readonly number: number
  readonly opened: (carrier: string) => void
  readonly askedOn: (carrier: string, carried: CarriedRequest, respond: Respond) => void
  readonly onDeath: (mourn: () => void) => void
}

/** Where a node sends from. */
export interface SendingFrom {
  readonly board: NodeFaults
  readonly clock: VirtualClock
  /** Has something happen in its process. */
  readonly run: (task: () => void) => void
  /** A process that is alive and writes. */
  readonly writerOf: (number: number) => CarryingProcess | undefined
}

/** Is told what became of a request. */
type Settle = (sent: Sent<NodeResponse>) => void

/** A node's connection to a process that writes, on which its clients' requests go, in order. */
class NodeCarrier {
  readonly name: string
  /** The process that it leads to. */
  readonly to: number
  readonly #waiting = new Set<Settle>()
  #last = 0
  #lastAt = 0
  #isOver = false

  constructor(name: string, to: number) {
    this.name = name
    this.to = to
  }

  /** Its node has given it up. */
  get isOver(): boolean {
    return this.#isOver
  }

  /** The number of the next request. */
  next(): number {
    return (this.#last += 1)
  }

  /** When something arrives that would arrive then, in milliseconds: never before what was sent earlier. */
  inOrder(at: number): number {
    return (this.#lastAt = Math.max(this.#lastAt + 1, at))
  }

  /** Has told what became of a request: that nobody knows, where the connection ends before. */
  waits(settle: Settle): void {
    if (this.#isOver) settle(UNKNOWN)
    else this.#waiting.add(settle)
  }

  /** A request has its outcome. */
  settle(settle: Settle, sent: Sent<NodeResponse>): void {
    if (this.#waiting.delete(settle)) settle(sent)
  }

  /** Nobody who waits gets an answer on it any more. What is on its way may arrive all the same. */
  end(): void {
    this.#isOver = true
    for (const settle of this.#waiting) this.settle(settle, UNKNOWN)
  }
}

/** Half of what comes twice comes once, behind the end of its connection, or is begun only there. */
const isBehindEnd = (again: number): boolean => again % 2 === 1
const isBegunLate = (again: number): boolean => again % 4 === 1

/** A node's connections: one at a time. */
export class NodeCarriers {
  readonly #node: number
  readonly #number: number
  readonly #from: SendingFrom
  #current: NodeCarrier | undefined
  #opened = 0

  /** @param number - of the node's process */
  constructor(node: number, number: number, from: SendingFrom) {
    this.#node = node
    this.#number = number
    this.#from = from
  }

  /** Sends a request to a process, by a name that it has from the first time on. */
  send(request: NodeRequest, naming: Naming, to: number): Effect.Effect<Sent<NodeResponse>> {
    return Effect.callback((resume) => {
      const writer = this.#from.writerOf(to)
      const give: Settle = (sent) => resume(Effect.succeed(sent))
      if (writer === undefined) return this.#later(1, () => give(UNSENT))
      const carrier = this.#carrierTo(writer)
      const number = carrier.next()
      const isFirst = naming.name === undefined
      naming.name ??= requestName({ connection: carrier.name, number, behind: naming.behind })
      carrier.waits(give)
      this.#deliver(carrier, writer, { give, number, request: { ...request, sending: { name: naming.name, isFirst } } })
    })
  }

  #deliver(
    carrier: NodeCarrier,
    writer: CarryingProcess,
    { give, number, request }: { readonly give: Settle; readonly number: number; readonly request: NodeRequest }
  ): void {
    const { board, clock } = this.#from
    const isCutOff = () => board.isCutOff(this.#node, writer.node)
    const giveUp = () => this.#later(GIVEN_UP, () => carrier.end())
    if (isCutOff()) return giveUp()
    const answered: Respond = (response) => {
      const [arrival] = isCutOff() ? [] : board.responseArrives()
      if (arrival === undefined) return giveUp()
      const sent: Sent<NodeResponse> = response.status === ELSEWHERE ? UNSENT : { _tag: "Answered", response }
      this.#later(arrival, () => carrier.settle(give, sent))
    }
    const [arrival = 0, again] = board.requestArrives()
    const isLate = again !== undefined && isBehindEnd(again)
    if (isLate) this.#later(BREAKS, () => carrier.end())
    const begins = isLate && isBegunLate(again) ? BREAKS + again : 0
    const first = carrier.inOrder(clock.elapsed + (isLate && begins === 0 ? BREAKS + again : arrival))
    clock.schedule(first, () => writer.askedOn(carrier.name, { number, request, begins }, answered))
    if (again === undefined || isLate) return
    clock.schedule(first + again, () => writer.askedOn(carrier.name, { number, request, begins }, () => {}))
  }

  #carrierTo(writer: CarryingProcess): NodeCarrier {
    const known = this.#current
    if (known?.to === writer.number && !known.isOver) return known
    known?.end()
    const carrier = new NodeCarrier(connectionName(String(this.#number), (this.#opened += 1)), writer.number)
    writer.opened(carrier.name)
    writer.onDeath(() => this.#later(1, () => carrier.end()))
    this.#current = carrier
    return carrier
  }

  #later(millis: number, task: () => void): void {
    const { clock, run } = this.#from
    clock.schedule(clock.elapsed + millis, () => run(task))
  }
}
