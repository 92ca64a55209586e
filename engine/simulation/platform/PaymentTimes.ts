/** When payments are looked at. Without the times of the table that ships, this does what `PaymentScheduleRepository` does. */

/** A payment that comes due later, unless something is recorded. */
export interface PaymentLease {
  readonly until: number
  /** The last event of the payment by then; 0 where none is known. */
  readonly seq: number
}

/** A payment as its table has it. */
export interface TimedPayment {
  /** The last event that is about it. */
  readonly seq: number
  /** Whether it is paid at once, so that nobody looks at it again. */
  readonly isDirect: boolean
}

/** All times are in milliseconds since 1970. */
interface Row {
  /** Null: when something is recorded. */
  readonly dueAt: number | null
  readonly attempts: number
  /** The last event that it was looked at for. */
  readonly seq: number
}

/** The rows of a table, which outlive a process. */
export class PaymentTimes {
  readonly #rows = new Map<string, Row>()
  /** Those of which something was recorded since somebody looked last. */
  readonly #fresh = new Set<string>()
  readonly #find: (paymentId: string) => TimedPayment | undefined

  constructor(find: (paymentId: string) => TimedPayment | undefined) {
    this.#find = find
  }

  /** Something was recorded that is about a payment, by whichever process. */
  recorded(paymentId: string): void {
    this.#fresh.add(paymentId)
  }

  /** The payments that somebody will look at without more being recorded. */
  get waiting(): ReadonlySet<string> {
    const timed = [...this.#rows].flatMap(([paymentId, { dueAt }]) => (dueAt === null ? [] : [paymentId]))
    return new Set([...timed, ...this.#fresh])
  }

  /** The payments about which something is to be done by now, the longest due first. */
  due(now: number): ReadonlyArray<string> {
    this.#hear(now)
    return [...this.#rows]
      .flatMap(([paymentId, { dueAt }]) => (dueAt !== null && dueAt <= now ? [{ dueAt, paymentId }] : []))
      .toSorted((one, other) => one.dueAt - other.dueAt || (one.paymentId < other.paymentId ? -1 : 1))
      .map(({ paymentId }) => paymentId)
  }

  /** How often in a row a payment's provider gave no answer. */
  attempts(paymentId: string): number {
    const row = this.#rows.get(paymentId)
    return row !== undefined && row.seq === this.#find(paymentId)?.seq ? row.attempts : 0
  }

  lease(paymentId: string, until: number): PaymentLease {
    const row = this.#rows.get(paymentId) ?? { attempts: 0, seq: 0 }
    this.#rows.set(paymentId, { ...row, dueAt: until })
    return { until, seq: this.#seqOf(paymentId) }
  }

  /** Ends a lease: the payment comes due at `due`, or never. What is recorded since makes it due all the same. */
  release(paymentId: string, { seq, until }: PaymentLease, due: number | undefined): void {
    if (this.#rows.get(paymentId)?.dueAt !== until) return
    this.#rows.set(paymentId, { dueAt: due ?? null, attempts: 0, seq })
  }

  /** Lets a payment come due later, after so many requests without an answer. */
  postpone(paymentId: string, due: number, attempts: number): void {
    this.#rows.set(paymentId, { dueAt: due, attempts, seq: this.#seqOf(paymentId) })
  }

  #hear(now: number): void {
    for (const paymentId of this.#fresh) {
      const found = this.#find(paymentId)
      const isNewer = (this.#rows.get(paymentId)?.seq ?? 0) < (found?.seq ?? 0)
      if (found === undefined || found.isDirect || !isNewer) continue
      this.#rows.set(paymentId, { dueAt: now, attempts: 0, seq: found.seq })
    }
    this.#fresh.clear()
  }

  #seqOf(paymentId: string): number {
    return this.#find(paymentId)?.seq ?? 0
  }
}
