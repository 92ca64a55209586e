/** How much of an answer is kept, in bytes. */
export const MAX_ANSWER = 16_384

/** Collects the beginning of an answer's body, up to {@link MAX_ANSWER}. */
export class ResponseText {
  readonly #parts: Array<Uint8Array> = []
  #size = 0

  /** Takes a piece; returns whether there is room for more. */
  take(bytes: Uint8Array): boolean {
    const room = MAX_ANSWER - this.#size
    this.#parts.push(bytes.subarray(0, room))
    this.#size += Math.min(room, bytes.length)
    return this.#size < MAX_ANSWER
  }

  /** The received bytes as text. Invalid bytes, and NUL, which PostgreSQL cannot keep, are replaced. */
  text(): string {
    if (this.#size === 0) return ""
    const decoder = new TextDecoder()
    const pieces = this.#parts.map((part) => decoder.decode(part, { stream: true }))
    const rest = this.#size < MAX_ANSWER ? decoder.decode() : ""
    return (pieces.join("") + rest).replaceAll("\u0000", "\uFFFD")
  }
}
