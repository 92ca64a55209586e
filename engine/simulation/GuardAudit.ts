import type { BotGuardSet } from "../bots/BotEvent.ts"
import type { Report } from "./LedgerAudit.ts"
import type { NaiveBot } from "./NaiveBot.ts"
import type { Wire } from "./NaiveOrder.ts"

/** A company's guard that waits. */
interface Waiting {
  readonly deadlineAt: number
  /** How many events of bots there were when it was set. */
  readonly moment: number
  /** When it is due, in milliseconds after the start, unless the clock is set back. */
  readonly due: number
}

export interface GuardAuditParts {
  readonly report: Report
  /** What the clock shows, and the milliseconds that have passed since the start. */
  readonly now: () => number
  readonly elapsed: () => number
  readonly botsOf: (companyId: string) => ReadonlyArray<NaiveBot>
  /** Whether a company's commitments are halted, which pauses its bots too. */
  readonly isHalted: (companyId: string) => boolean
}

/** The faults of a world keep a guard from what it is for no longer than this, in milliseconds. */
const MOST_LATE = 60_000

/** The clock may be set back by so much between the decision that a guard is due and what follows from it. */
const MOST_BACK = 10_000

/**
 * The dead man's switch and the kill switch told again: the platform pauses bots where their company's guard is due, or its
 * commitments are halted, and nowhere else; not long after it is due none of them commits on; and after all were to be paused none stays as it was.
 */
export class GuardAudit {
  readonly #parts: GuardAuditParts
  readonly #waiting = new Map<string, Waiting>()

  constructor(parts: GuardAuditParts) {
    this.#parts = parts
  }

  /** A guard was set, replaced or ended. */
  set({ at, by, companyId, deadlineAt }: Wire<BotGuardSet>, moment: number): void {
    const before = this.#waiting.get(companyId)
    if (by === null) this.#ended(companyId, at, deadlineAt)
    else this.#late(companyId, before)
    this.#waiting.delete(companyId)
    if (deadlineAt === null) return
    this.#waiting.set(companyId, { deadlineAt, moment, due: this.#parts.elapsed() + deadlineAt - at })
  }

  /** The platform paused a bot. */
  paused({ companyId, id }: NaiveBot, at: number): void {
    const waiting = this.#waiting.get(companyId)
    const isDue = waiting !== undefined && at >= waiting.deadlineAt - MOST_BACK
    if (!isDue && !this.#parts.isHalted(companyId)) {
      this.#parts.report("guard", `${id} was paused at ${at}, and its company's guard is not due`)
    }
  }

  /** A bot is to commit. */
  committing({ companyId }: NaiveBot): void {
    this.#late(companyId, this.#waiting.get(companyId))
  }

  /** Somebody was told that all bots of a company are paused who asked for it at this moment. */
  allPaused(companyId: string, moment: number): void {
    this.#stayed(companyId, moment, "kill_switch")
  }

  /** What must hold at the end: no guard waits that was due long ago. */
  end(): void {
    for (const [companyId, waiting] of this.#waiting) this.#late(companyId, waiting)
  }

  #ended(companyId: string, at: number, deadlineAt: number | null): void {
    const waiting = this.#waiting.get(companyId)
    if (waiting === undefined || at < waiting.deadlineAt || deadlineAt !== null) {
      return this.#parts.report("guard", `the guard of ${companyId} ended at ${at}, before it was due`)
    }
    this.#stayed(companyId, waiting.moment, "dead_man")
  }

  /** No bot of a company may be active that has been since before a moment. */
  #stayed(companyId: string, moment: number, rule: string): void {
    for (const { activeFrom, id, status } of this.#parts.botsOf(companyId)) {
      if (status === "active" && activeFrom <= moment) this.#parts.report(rule, `${id} stayed active`)
    }
  }

  #late(companyId: string, waiting: Waiting | undefined): void {
    if (waiting === undefined) return
    const { elapsed, now } = this.#parts
    const late = Math.min(now() - waiting.deadlineAt, elapsed() - waiting.due)
    if (late > MOST_LATE) this.#parts.report("dead_man", `the guard of ${companyId} was due ${late} ms ago`)
  }
}
