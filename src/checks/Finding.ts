import { Effect, Predicate } from "effect"

/** How something stands: as it should, worth a look, or in the way of a server. */
export type FindingStanding = "ok" | "warn" | "fail"

/** What was looked at, and what is to be done about it. */
export interface Finding {
  readonly about: string
  readonly standing: FindingStanding
  readonly text: string
}

export const finding = (about: string, standing: FindingStanding, text: string): Finding => ({ about, standing, text })

/** A row of the table of checks: what is looked at, and when that is worth a look or in the way. */
export interface CheckRow {
  readonly about: string
  readonly standing: Exclude<FindingStanding, "ok">
  /** When it stands so. */
  readonly when: string
  /** What to do then, and why: one sentence. */
  readonly todo: string
}

/** A check that looks at one thing. */
export interface Check<Input> extends CheckRow {
  /** What of the input is not as it should be, such as `off`; undefined where nothing is. */
  readonly found: (input: Input) => string | undefined
}

/** What the checks find. */
export const judged = <Input>(checks: ReadonlyArray<Check<Input>>, input: Input): ReadonlyArray<Finding> =>
  checks.flatMap(({ about, found, standing, todo }) => {
    const what = found(input)
    return what === undefined ? [] : [finding(about, standing, `${what}: ${todo}`)]
  })

/** An error as its own sentence. */
export const sentence = (error: unknown): string =>
  Predicate.hasProperty(error, "message") ? String(error.message) : String(error)

/** A look that failed is itself a finding. */
export const orFail = <E, R>(about: string, look: Effect.Effect<Finding, E, R>): Effect.Effect<Finding, never, R> =>
  look.pipe(Effect.catch((error) => Effect.succeed(finding(about, "fail", sentence(error)))))
