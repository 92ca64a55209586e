import type { StreamItem } from "../../packages/client/src/ArenaStreamClient.ts"
import type { CompleteEvent } from "../../packages/client/src/StreamProgress.ts"

/** Short names of events, each kept once. */
export class Labels {
  readonly #known = new Map<string, string>()

  of(text: string): string {
    const known = this.#known.get(text)
    if (known === undefined) this.#known.set(text, text)
    return known ?? text
  }
}

const labelOf = ({ frames, position: { seq } }: CompleteEvent): string => {
  for (const { data, type } of frames) {
    if (type === "order_created") return `${seq} opened ${data.order_id}`
    if (type === "commitment_submitted") return `${seq} committed ${data.commitment_id}`
    if (type === "order_settled") return `${seq} settled ${data.order_id} ${data.winner_commitment_id}`
  }
  const [first] = frames
  return `${seq} changed ${first?.data.order_id}`
}

/** What one client of the soak was told, in its order. */
export class SoakTranscript {
  readonly told: Array<string> = []
  /** Whatever should not have happened to it. */
  readonly others: Array<string> = []
  /** Where its first subscription began. */
  from: number | undefined
  readonly #labels: Labels

  constructor(labels: Labels) {
    this.#labels = labels
  }

  begin(seq: number | undefined): void {
    this.from ??= seq
  }

  take(item: StreamItem): void {
    if (item.kind === "event") this.told.push(this.#labels.of(labelOf(item)))
    if (item.kind === "resync") this.others.push(`resync: ${item.reason}`)
  }

  end(why: string | undefined): void {
    this.others.push(`ended: ${why}`)
  }
}
