import { createHash } from "node:crypto"
import { ArenaStreamClient, type StreamItem } from "../../packages/client/src/ArenaStreamClient.ts"
import type { Subscription, Told } from "./History.ts"

/** What the first frame of an event says, as the judge names it. */
const said = (type: string, data: Readonly<Record<string, unknown>>): string =>
  `${type} ${String(data[type === "commitment_submitted" ? "commitment_id" : "order_id"])}`

/** A client of the stream of one node, which connects again and resumes wherever its node ended. */
export class TrialSubscriber {
  readonly #told: Array<Told> = []
  readonly #faults: Array<string> = []
  readonly #client: ArenaStreamClient
  readonly #node: string
  #from: number | undefined

  constructor(node: string, url: string) {
    this.#node = node
    this.#client = new ArenaStreamClient({
      url,
      snapshot: false,
      onItem: (item) => this.#take(item),
      onStatus: (status) => {
        if (status === "live") this.#from ??= this.#client.position?.seq
      }
    })
    this.#client.start()
  }

  /** The place up to which it was told everything. */
  get position(): number {
    return this.#client.position?.seq ?? 0
  }

  /** Whether its subscription has begun. */
  get hasBegun(): boolean {
    return this.#from !== undefined
  }

  /** Ends it, and answers what it was told. */
  close(): Subscription {
    this.#client.close()
    const { breaches } = this.#client
    const faults = breaches > 0 ? [...this.#faults, `${breaches} frames did not follow from each other`] : this.#faults
    return { node: this.#node, from: this.#from ?? 0, told: this.#told, faults }
  }

  #take(item: StreamItem): void {
    if (item.kind === "price") return
    const { seq } = item.position
    if (item.kind !== "event") {
      this.#faults.push(`${item.kind} at ${seq}`)
      return
    }
    const frames = item.frames.map(({ data, type }) => ({ type, data }))
    const [first] = frames
    if (first === undefined) return
    const digest = createHash("sha256").update(JSON.stringify(frames)).digest("base64")
    this.#told.push({ seq, what: said(first.type, first.data), digest })
  }
}
