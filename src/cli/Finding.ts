import { Effect, Predicate } from "effect"

/** How something stands: as it should, worth a look, or in the way of a server. */
export type Standing = "ok" | "warn" | "fail"

/** What was looked at, and what is to be done about it. */
export interface Finding {
  readonly about: string
  readonly standing: Standing
  readonly text: string
}

export const finding = (about: string, standing: Standing, text: string): Finding => ({ about, standing, text })

/** An error as its own sentence. */
export const sentence = (error: unknown): string =>
  Predicate.hasProperty(error, "message") ? String(error.message) : String(error)

/** A look that failed is itself a finding. */
export const orFail = <E, R>(about: string, look: Effect.Effect<Finding, E, R>): Effect.Effect<Finding, never, R> =>
  look.pipe(Effect.catch((error) => Effect.succeed(finding(about, "fail", sentence(error)))))

const WIDTH = 13

/** Findings for a person, one a line. */
export const findingsText = (findings: ReadonlyArray<Finding>): string =>
  findings.map(({ about, standing, text }) => `${standing.padEnd(6)}${about.padEnd(WIDTH)}${text}`).join("\n")
