import { ANSWER_TIMEOUT } from "../../webhooks/DeliverySchedule.ts"
import { SeededRandom } from "../SeededRandom.ts"

/** What a receiver did with one attempt. */
export interface Receipt {
  readonly status: number | null
  readonly millis: number
}

/** How often, in a thousand, a receiver of a kind takes what it gets: always, mostly, half, never. */
const TAKES = [1_000, 900, 500, 0, 0] as const

/** The answer of who takes something, and those of who does not; null is none at all. */
const TAKEN = 200
const REFUSALS = [500, 302, 404, null] as const

/** The companies' receivers outside: each takes what it gets as often as its kind does, and answers late or never else. */
export class WebhookReceivers {
  readonly #seed: number
  readonly #receivers = new Map<string, { readonly takes: number; readonly random: SeededRandom }>()
  /** The deliveries that a receiver took at least once. */
  readonly taken = new Set<string>()

  constructor(seed: number) {
    this.#seed = seed
  }

  receive(webhookId: string, deliveryId: string): Receipt {
    const { random, takes } = this.#receiver(webhookId)
    const millis = random.between(10, 800)
    if (random.chance(takes)) {
      this.taken.add(deliveryId)
      return { status: TAKEN, millis }
    }
    const status = random.pick(REFUSALS)
    return { status, millis: status === null ? ANSWER_TIMEOUT : millis }
  }

  #receiver(webhookId: string) {
    const known = this.#receivers.get(webhookId)
    if (known !== undefined) return known
    const random = new SeededRandom(this.#seed, `receiver/${webhookId}`)
    const made = { takes: random.pick(TAKES), random }
    this.#receivers.set(webhookId, made)
    return made
  }
}
