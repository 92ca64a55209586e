interface Timer {
  readonly at: number
  readonly run: () => void
}

/** Time that passes only when it is told to. */
export class VirtualTime {
  #now = 0
  #timers: Array<Timer> = []

  readonly now = (): number => this.#now

  readonly after = (millis: number, run: () => void): (() => void) => {
    const timer = { at: this.#now + millis, run }
    this.#timers.push(timer)
    return () => {
      this.#timers = this.#timers.filter((each) => each !== timer)
    }
  }

  /** Lets so many milliseconds pass, and what was to happen meanwhile happen in order. */
  pass(millis: number): void {
    const until = this.#now + millis
    for (;;) {
      const next = this.#timers.filter(({ at }) => at <= until).toSorted((one, other) => one.at - other.at)[0]
      if (next === undefined) break
      this.#timers = this.#timers.filter((each) => each !== next)
      this.#now = next.at
      next.run()
    }
    this.#now = until
  }
}
