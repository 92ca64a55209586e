/** Specification 6.3, as it stands there: seconds before each attempt, counted from the end of the one before. */
const PAUSES = [0, 5, 25, 120, 600] as const

/** How late an attempt may begin, in milliseconds. */
const LATEST = 1_000

interface Expected {
  readonly webhookId: string
  /** When the next attempt is due; null where none is. */
  dueAt: number | null
  /** Attempts of this round whose outcome is kept. */
  attempts: number
  /** What came of an attempt that is under way, or whose outcome is not kept yet. */
  ended: { readonly at: number; readonly isSuccess: boolean } | undefined
  isUnderWay: boolean
}

const isSuccess = (status: number | null): boolean => status !== null && status >= 200 && status < 300

/** A plain list of deliveries with the times at which they are due, to which every attempt is held. */
export class DeliveryOracle {
  /** What was not as the table has it, in words. */
  readonly faults: Array<string> = []
  /** Attempts that were judged. */
  judged = 0
  readonly #deliveries = new Map<string, Expected>()
  /** Since when a webhook may be sent to; undefined where it may not be. */
  readonly #open = new Map<string, number | undefined>()
  #upSince: number | undefined

  started(now: number): void {
    this.#upSince = now
  }

  /** What was under way, or not kept, is due as before. */
  killed(): void {
    this.#upSince = undefined
    for (const delivery of this.#deliveries.values()) {
      delivery.isUnderWay = false
      delivery.ended = undefined
    }
  }

  enabled(webhookId: string, now: number): void {
    this.#open.set(webhookId, now)
  }

  disabled(webhookId: string): void {
    this.#open.set(webhookId, undefined)
  }

  /** A new delivery, or a failed one that is retried by hand. */
  due(id: string, webhookId: string, now: number): void {
    this.#deliveries.set(id, { webhookId, dueAt: now, attempts: 0, ended: undefined, isUnderWay: false })
  }

  begun(id: string, now: number): void {
    this.judged += 1
    const delivery = this.#deliveries.get(id)
    if (delivery === undefined || delivery.dueAt === null) return this.#fault(id, now, "is not due at all")
    if (delivery.isUnderWay || delivery.ended !== undefined) return this.#fault(id, now, "is made twice")
    delivery.isUnderWay = true
    const { attempts, dueAt, webhookId } = delivery
    if (now < dueAt) this.#fault(id, now, `${attempts + 1} is ${dueAt - now} ms early`)
    const late = now - this.#latest(dueAt, webhookId)
    if (late > LATEST) this.#fault(id, now, `${attempts + 1} is ${late} ms late`)
  }

  ended(id: string, now: number, status: number | null): void {
    const delivery = this.#deliveries.get(id)
    if (delivery === undefined || !delivery.isUnderWay) return this.#fault(id, now, "ended that was not under way")
    delivery.isUnderWay = false
    delivery.ended = { at: now, isSuccess: isSuccess(status) }
  }

  /** The outcome of the attempt that ended is kept. */
  kept(id: string): void {
    const delivery = this.#deliveries.get(id)
    if (delivery?.ended === undefined) return
    const { at, isSuccess: isOver } = delivery.ended
    delivery.attempts += 1
    delivery.ended = undefined
    const pause = PAUSES[delivery.attempts]
    delivery.dueAt = isOver || pause === undefined ? null : at + pause * 1_000
  }

  /** Says which deliveries should have been attempted by now and were not. */
  settle(now: number): void {
    for (const [id, { attempts, dueAt, ended, isUnderWay, webhookId }] of this.#deliveries) {
      if (dueAt === null || isUnderWay || ended !== undefined) continue
      if (now - this.#latest(dueAt, webhookId) > LATEST) this.#fault(id, now, `${attempts + 1} is forgotten`)
    }
  }

  /** When an attempt that is due at a time could begin. */
  #latest(dueAt: number, webhookId: string): number {
    const never = Number.POSITIVE_INFINITY
    return Math.max(dueAt, this.#upSince ?? never, this.#open.get(webhookId) ?? never)
  }

  #fault(id: string, now: number, what: string): void {
    this.faults.push(`${now / 1_000} s: attempt at ${id} ${what}`)
  }
}
