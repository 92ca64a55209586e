import { Effect } from "effect"

/** What a key has that nobody reads. */
const NONE: ReadonlySet<never> = new Set()

/**
 * What is being read for memory, by key: a change that comes in between is noted with each reading that may not have seen
 * it. `Reading` is what is noted.
 */
export class Readings<Reading> {
  readonly #underWay = new Map<string, Set<Reading>>()

  /** How many keys are being read. */
  get size(): number {
    return this.#underWay.size
  }

  /** The readings of a key. */
  of(key: string): ReadonlySet<Reading> {
    return this.#underWay.get(key) ?? NONE
  }

  /** Has all of them note something. */
  each(note: (reading: Reading) => void): void {
    for (const readings of this.#underWay.values()) for (const reading of readings) note(reading)
  }

  /**
   * Reads what a key stands for. However it ends, nothing is noted with it from then on.
   *
   * @param begin - makes what is noted, right before the reading begins
   * @param keep - takes what was read, with what was noted meanwhile, before anybody else does
   */
  run<A, E, R>(
    key: string,
    begin: () => Reading,
    read: Effect.Effect<A, E, R>,
    keep: (found: A, reading: Reading) => void
  ): Effect.Effect<A, E, R> {
    return Effect.acquireUseRelease(
      Effect.sync(() => this.#begin(key, begin())),
      (reading) =>
        Effect.map(read, (found) => {
          keep(found, reading)
          return found
        }),
      (reading) => Effect.sync(() => this.#end(key, reading))
    )
  }

  #begin(key: string, reading: Reading): Reading {
    const readings = this.#underWay.get(key) ?? new Set()
    this.#underWay.set(key, readings.add(reading))
    return reading
  }

  #end(key: string, reading: Reading): void {
    const readings = this.#underWay.get(key)
    readings?.delete(reading)
    if (readings?.size === 0) this.#underWay.delete(key)
  }
}
