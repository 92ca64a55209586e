import type { CommitmentHaltSet, HaltCause } from "../arena/CommitmentHalt.ts"
import type { Report } from "./LedgerAudit.ts"
import type { Wire } from "./NaiveOrder.ts"

export interface HaltAuditParts {
  readonly report: Report
  /** What the clock shows, and the milliseconds that have passed since the start. */
  readonly now: () => number
  readonly elapsed: () => number
}

/** A switch that is to be pulled. */
interface Waiting {
  readonly deadlineAt: number
  /** When it is due, in milliseconds after the start, unless the clock is set back. */
  readonly due: number
}

/** The faults of a world keep a switch from being pulled for no longer than this, in milliseconds. */
const MOST_LATE = 60_000

/** And for no longer than this where a process ended: another one needs its term first. */
const MOST_ORPHANED = 120_000

/** The clock may be set back by so much between the decision that a switch is due and what follows from it. */
const MOST_BACK = 10_000

/** What the platform pulls a switch for by itself. */
const OF_THE_PLATFORM: ReadonlySet<HaltCause | null> = new Set(["deadline", "restarted"])

/**
 * The kill switches told again: while one is pulled nobody of its company commits, and the platform pulls one by itself
 * where it is due, or where the process ended that a connection hung on.
 */
export class HaltAudit {
  readonly #parts: HaltAuditParts
  readonly #halted = new Set<string>()
  readonly #armed = new Set<string>()
  readonly #waiting = new Map<string, Waiting>()
  /** Companies whose connections ended with a process, with when it ended, in milliseconds after the start. */
  readonly #orphaned = new Map<string, number>()

  constructor(parts: HaltAuditParts) {
    this.#parts = parts
  }

  isHalted(companyId: string): boolean {
    return this.#halted.has(companyId)
  }

  /** A process ended, and with it the connections whose ends pull switches: another one has to pull them. */
  restarted(): void {
    for (const companyId of this.#armed) this.#orphaned.set(companyId, this.#parts.elapsed())
  }

  event(event: Wire<CommitmentHaltSet>): void {
    const { act, armed, at, by, cause, companyId, deadlineAt, halted } = event
    if (act === "halt") this.#pulled(event)
    if (act === "resume") this.#halted.delete(companyId)
    if (act === "resume" && by === null) this.#wrong(`the switch of ${companyId} was lifted by nobody`)
    if (act === "deadline") {
      this.#late(companyId)
      this.#waiting.delete(companyId)
      if (deadlineAt !== null) {
        this.#waiting.set(companyId, { deadlineAt, due: this.#parts.elapsed() + deadlineAt - at })
      }
    }
    if (act === "arm" && armed) this.#armed.add(companyId)
    if (act === "arm" && !armed) this.#disarmed(companyId, by)
    const isAsTold =
      (halted !== null) === this.#halted.has(companyId) &&
      armed === this.#armed.has(companyId) &&
      deadlineAt === (this.#waiting.get(companyId)?.deadlineAt ?? null)
    if (!isAsTold) this.#wrong(`the switch of ${companyId} is not as ${cause ?? act} leaves it`)
  }

  /** Somebody of a company committed. */
  committed(owner: string, commitmentId: string): void {
    if (this.#halted.has(owner)) this.#wrong(`${commitmentId} is of ${owner}, whose switch is pulled`)
    this.#late(owner)
  }

  /** What must hold at the end: no switch waits that was due long ago, or that hung on a process which ended long ago. */
  end(): void {
    for (const companyId of new Set([...this.#waiting.keys(), ...this.#orphaned.keys()])) this.#late(companyId)
  }

  /** A user's own connection may end, as another one's did, before the platform looks. */
  #disarmed(companyId: string, by: string | null): void {
    this.#armed.delete(companyId)
    if (this.#orphaned.delete(companyId) && by === null) {
      this.#wrong(`the switch of ${companyId} hung on a process that ended, and was not pulled`)
    }
  }

  #pulled({ at, by, cause, companyId }: Wire<CommitmentHaltSet>): void {
    this.#halted.add(companyId)
    if ((by === null) !== OF_THE_PLATFORM.has(cause)) this.#wrong(`${by ?? "nobody"} pulled ${companyId} by ${cause}`)
    if (cause === "restarted" && !this.#armed.has(companyId)) this.#wrong(`nothing of ${companyId} hung on a process`)
    this.#abandoned(companyId)
    if (cause === "restarted") this.#orphaned.delete(companyId)
    if (cause !== "deadline") return
    const waiting = this.#waiting.get(companyId)
    if (waiting === undefined || at < waiting.deadlineAt - MOST_BACK) {
      this.#wrong(`the switch of ${companyId} was pulled at ${at}, before it was due`)
    }
    this.#waiting.delete(companyId)
  }

  #late(companyId: string): void {
    this.#abandoned(companyId)
    const waiting = this.#waiting.get(companyId)
    if (waiting === undefined) return
    const { elapsed, now } = this.#parts
    const late = Math.min(now() - waiting.deadlineAt, elapsed() - waiting.due)
    if (late > MOST_LATE) this.#wrong(`the switch of ${companyId} was due ${late} ms ago`)
  }

  #abandoned(companyId: string): void {
    const endedAt = this.#orphaned.get(companyId)
    const late = endedAt === undefined ? 0 : this.#parts.elapsed() - endedAt
    if (late > MOST_ORPHANED) this.#wrong(`the process that ${companyId} hung on ended ${late} ms ago: nobody pulled`)
  }

  #wrong(detail: string): void {
    this.#parts.report("halt", detail)
  }
}
