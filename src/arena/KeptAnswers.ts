/** Bytes of answers that are kept; the one kept longest makes room. */
export const MAX_KEPT_BYTES = 32 * 1024 * 1024

/** Milliseconds that an answer is kept: a commit whose own answer was lost goes unseen for so long at most. */
export const MAX_AGE = 1_000

interface Kept {
  readonly body: Uint8Array<ArrayBuffer>
  readonly at: number
}

/** Answers as bytes, by stream. A reading that began before the last event of its stream is not kept. */
export class KeptAnswers {
  readonly #kept = new Map<string, Kept>()
  readonly #readings = new Map<string, symbol>()
  #bytes = 0

  /** What is held: answers, their bytes, and readings under way. */
  get size(): { readonly answers: number; readonly bytes: number; readonly readings: number } {
    return { answers: this.#kept.size, bytes: this.#bytes, readings: this.#readings.size }
  }

  find(stream: string, now: number): Uint8Array<ArrayBuffer> | undefined {
    const kept = this.#kept.get(stream)
    return kept === undefined || now - kept.at >= MAX_AGE ? undefined : kept.body
  }

  begin(stream: string): symbol {
    const reading = Symbol(stream)
    this.#readings.set(stream, reading)
    return reading
  }

  keep(stream: string, reading: symbol, kept: Kept): void {
    if (this.#readings.get(stream) !== reading) return
    this.#drop(stream)
    this.#kept.set(stream, kept)
    this.#bytes += kept.body.byteLength
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= MAX_KEPT_BYTES) break
      this.#drop(oldest)
    }
  }

  end(stream: string, reading: symbol): void {
    if (this.#readings.get(stream) === reading) this.#readings.delete(stream)
  }

  outdate(stream: string): void {
    this.#readings.delete(stream)
    this.#drop(stream)
  }

  #drop(stream: string): void {
    this.#bytes -= this.#kept.get(stream)?.body.byteLength ?? 0
    this.#kept.delete(stream)
  }
}
