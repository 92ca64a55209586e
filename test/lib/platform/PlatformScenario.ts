import { Effect, Result } from "effect"
import { format, fromNumber, fromUnits, parse } from "../../../engine/money/Amount.ts"
import type { Answer } from "../Requests.ts"
import type { PlatformActors } from "./PlatformActors.ts"
import type { Name, PlatformMove } from "./PlatformCommands.ts"
import type { PlatformPaper } from "./PlatformPaper.ts"

/** What the paper says of a request before it is sent: it is taken, it is refused, or that is not for paper to say. */
export type Verdict = "taken" | "refused" | "either"

/** A request, and what it does on paper when it is taken. */
export interface Asked {
  readonly who: Name
  readonly path: string
  readonly body: unknown
  readonly verdict: Verdict
  readonly settle: (answer: Answer) => Effect.Effect<void>
}

/** The state of a scenario that its moves share. */
export interface PlatformScenario {
  readonly actors: PlatformActors
  readonly paper: PlatformPaper
  /** Ids of the orders that were placed. */
  readonly orders: Array<string>
  /** Ids of the subscriptions, with how many periods the paper has. */
  readonly subscriptions: Array<{ readonly id: string; readonly who: Name; paid: number }>
  /** The actors' desk: what it gained and paid out. */
  readonly desk: Map<string, bigint>
}

/** Decimal text in 10⁻⁶. */
export const textUnits = (text: string): bigint => Result.getOrThrow(parse(text))

/** A JSON number in 10⁻⁶. */
export const numberUnits = (value: number): bigint => Result.getOrThrow(fromNumber(value))

/** Units as the wire has them in texts. */
export const text = (units: bigint): string => format(fromUnits(units))

export const when = (taken: boolean): Verdict => (taken ? "taken" : "refused")

/** A move of one kind. */
export type Of<A extends PlatformMove["act"]> = Extract<PlatformMove, { readonly act: A }>
