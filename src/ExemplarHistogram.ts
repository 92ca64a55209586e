import type { Metric } from "effect"

/** A trace that shows what a bucket has. */
export interface Exemplar {
  /** 32 hexadecimal digits. */
  readonly traceId: string
  readonly value: number
  /** Milliseconds since 1970. */
  readonly at: number
}

/** The state of a histogram of which some buckets name a trace: the last bucket is that of all larger values. */
export interface ExemplarState extends Metric.HistogramState {
  readonly exemplars: ReadonlyArray<Exemplar | undefined>
}

/** Whether a histogram's state names traces. */
export const namesTraces = (state: Metric.HistogramState): state is ExemplarState => "exemplars" in state

/** Counts values by upper bounds, and keeps the last trace that is told of each. */
export class ExemplarHistogram {
  readonly #bounds: ReadonlyArray<number>
  readonly #counts: Array<number>
  readonly #exemplars: Array<Exemplar | undefined>
  #sum = 0
  #min = Infinity
  #max = -Infinity

  /** @param bounds - upper bounds in rising order, each of its own bucket */
  constructor(bounds: ReadonlyArray<number>) {
    this.#bounds = bounds
    this.#counts = Array.from({ length: bounds.length + 1 }, () => 0)
    this.#exemplars = Array.from({ length: bounds.length + 1 }, () => undefined)
  }

  /**
   * Counts a value.
   *
   * @param trace - the trace that it was seen in, where there is one, and when, in milliseconds since 1970
   */
  add(value: number, trace?: { readonly id: string; readonly at: number }): void {
    let bucket = 0
    while (value > (this.#bounds[bucket] ?? Infinity)) bucket += 1
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1
    this.#sum += value
    if (value < this.#min) this.#min = value
    if (value > this.#max) this.#max = value
    if (trace !== undefined) this.#exemplars[bucket] = { traceId: trace.id, value, at: trace.at }
  }

  get state(): ExemplarState {
    let count = 0
    const buckets = this.#bounds.map((bound, index): [number, number] => {
      count += this.#counts[index] ?? 0
      return [bound, count]
    })
    count += this.#counts.at(-1) ?? 0
    return {
      buckets,
      count,
      min: count === 0 ? 0 : this.#min,
      max: count === 0 ? 0 : this.#max,
      sum: this.#sum,
      exemplars: [...this.#exemplars]
    }
  }
}
