/** What a server does that others see. */
export type Call =
  /** A row of the journal; a transaction of the tables; rows that a group is decided on. */
  | "append"
  | "project"
  | "load"
  /** Where the journal and the tables stand; the term; a page of keys. */
  | "look"
  | "term"
  | "keys"
  /** A caller's read. */
  | "read"
  /** It keeps an answer for a retry. */
  | "keep"
  /** It tells listeners what was committed, and answers only then. */
  | "tell"

/** When something happens to the server while one of its calls is on its way. */
export type Moment = "sent" | "done" | "answered"

/** What becomes of one call. */
export interface Fate {
  /** Milliseconds until the database does it, and from there to the answer. */
  readonly there: number
  readonly back: number
  /**
   * As it should; the connection is lost before it was done; or after; or it is done later than the server hears that the
   * connection is lost, in so many milliseconds, unless somebody takes the term before, who waits for it (`begun`) or
   * finds nothing of it; or the database refuses it for want of room.
   */
  readonly becomes: "done" | "lost" | "unanswered" | "begun" | "late" | "full"
  /** Milliseconds that it is late. */
  readonly late?: number
  /** When the server is killed, if it is. */
  readonly kill?: Moment
  /** Milliseconds for which the server stands still from then on. */
  readonly pause?: number
  /** Another server starts then, as one whose lock was lost has it. */
  readonly rival?: boolean
}

/** What is asked, and how much of it is on its way. */
export interface Asked {
  readonly call: Call
  /** Which server asks, from 1. */
  readonly server: number
  /** Which call of its kind this is for the server, from 1. */
  readonly number: number
  /** Calls of the kind that have no answer yet. */
  readonly underWay: number
}

export const KEPT: Fate = { there: 1, back: 1, becomes: "done" }
