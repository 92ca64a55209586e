import { Effect, type Scope } from "effect"
import type { RuntimeSocket } from "../runtime/ServerRuntime.ts"
import type { AdmitReads } from "./AskedReads.ts"
import type { CheckCallers } from "./CallerCheck.ts"
import { encodeNews } from "./FollowerFrame.ts"
import type { OwnSocket } from "./LocalApp.ts"
import type { QuotaHome } from "./SharedQuotas.ts"

/** RFC 6455, 7.4.1: connect again. */
const TRY_LATER = 1013

/** What the nodes that follow ask the one that writes, text for text. */
export interface Answers {
  /** Which callers of other nodes are still who they said. */
  readonly check: CheckCallers
  /** Which reads other nodes may answer. */
  readonly admit: AdmitReads
  /** What other nodes may have of their callers' quotas. */
  readonly quotas: QuotaHome
}

/** What is followed. */
interface Followed {
  readonly answers: Answers
  /** The sequence of the last event of which the followers were told. */
  head: number
}

/** The nodes that follow this one while it writes. None of them is waited for: who reads too slowly is cut off. */
export class Followers {
  readonly #sockets = new Set<RuntimeSocket<unknown>>()
  #followed: Followed | undefined
  readonly #wrote: () => void
  /** Whether a node of an address may still be there. */
  readonly isThere: (node: string) => boolean

  /** @param wrote - is told of each row that this node wrote */
  constructor(wrote: () => void = () => undefined, isThere: (node: string) => boolean = () => true) {
    this.#wrote = wrote
    this.isThere = isThere
  }

  /** What the nodes are answered with; undefined where there is nothing to follow. */
  get answers(): Answers | undefined {
    return this.#followed?.answers
  }

  /** From here on the followers are told of what comes behind an event, as long as the scope lives. */
  readonly serve = (seq: number, answers: Answers): Effect.Effect<void, never, Scope.Scope> =>
    Effect.acquireRelease(
      Effect.sync(() => {
        this.#followed = { answers, head: seq }
      }),
      () =>
        Effect.sync(() => {
          this.#followed = undefined
          for (const socket of this.#sockets) socket.close(TRY_LATER)
        })
    )

  /** Tells all of them of a row, with which the journal goes so far. Its text is made where anybody follows. */
  pushRow(text: () => string, seq: number): void {
    this.#wrote()
    if (this.#followed !== undefined) this.#followed.head = seq
    if (this.#sockets.size > 0) this.push(text())
  }

  /** Tells all of them. */
  push(text: string): void {
    // The runtime drops what finds its buffer full. Who comes back reads what it missed.
    for (const socket of this.#sockets) if (socket.send(text) === 0) socket.close(TRY_LATER)
  }

  /** What the connection of a node that follows carries. */
  readonly socket: OwnSocket = {
    listener: {
      open: (socket) => {
        this.#sockets.add(socket)
        socket.send(encodeNews({ _tag: "Head", seq: this.#followed?.head ?? 0 }))
      },
      message: () => undefined,
      pong: () => undefined,
      drain: () => undefined,
      close: (socket) => void this.#sockets.delete(socket),
      ended: () => undefined
    }
  }
}
