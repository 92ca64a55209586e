/** How long news count, in milliseconds: somewhat longer than from one look to the next. */
const NEWS_AGE = 60

/** The pause between two looks while news come, and the age up to which what they found is used, in milliseconds. */
const REST = 250

/** How long every look is made after the connection to the node that writes has ended, in milliseconds. */
const UNREST = 2_000

/**
 * How often a node looks at the others in the database. While rows of the journal come, the node that writes is there,
 * and a look shows nothing that matters soon. Times are milliseconds of a clock that never steps back.
 */
export class LookPace {
  #heardAt = -Infinity
  #silentAt = -Infinity
  #lookedAt = -Infinity
  #readAt = -Infinity
  #isCalm = false

  /** A row came from the node that writes, or this node wrote one. */
  heard(now: number): void {
    this.#heardAt = now
  }

  /** The connection to the node that writes has ended. */
  silent(now: number): void {
    this.#silentAt = now
    this.#heardAt = -Infinity
  }

  /** Whether a row came just now. */
  hears(now: number): boolean {
    return now - this.#heardAt <= NEWS_AGE
  }

  /** Whether it is time for a look. */
  isDue(now: number): boolean {
    const isQuiet = this.#isCalm && !this.#isUnsettled(now) && this.hears(now)
    return !isQuiet || now - this.#lookedAt >= REST
  }

  /**
   * A look was made.
   *
   * @param isCalm - whether all nodes that it knows have a session, and the sessions are those of the look before
   */
  looked(now: number, isCalm: boolean): void {
    this.#lookedAt = now
    this.#isCalm = isCalm
  }

  /** Whether the registered nodes are known as they are, give or take {@link REST}. */
  isKnown(now: number): boolean {
    return this.#isCalm && !this.#isUnsettled(now) && now - this.#readAt < REST
  }

  /** The registered nodes were read. */
  read(now: number): void {
    this.#readAt = now
  }

  /** What was read is no longer so. */
  outdate(): void {
    this.#readAt = -Infinity
  }

  #isUnsettled(now: number): boolean {
    return now - this.#silentAt < UNREST
  }
}
