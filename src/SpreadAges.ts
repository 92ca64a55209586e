/** The golden ratio's fraction: its multiples modulo 1 lie as evenly as they can. */
const STEP = 0.618_033_988_749_895

/** How long things are kept, so that those that were read at the same time are not all read again at the same time. */
export class SpreadAges {
  readonly #most: number
  #place = 0

  /** @param most - the greatest age; the least is half of it */
  constructor(most: number) {
    this.#most = most
  }

  /** The age that the next one may have. */
  next(): number {
    this.#place = (this.#place + STEP) % 1
    return this.#most * (1 - this.#place / 2)
  }
}
