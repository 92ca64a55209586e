import { Data, Effect } from "effect"

/** The embedded PostgreSQL could not be started. Its message is one sentence that says what to do. */
export class EmbeddedPostgresFailed extends Data.TaggedError("EmbeddedPostgresFailed")<{
  readonly message: string
}> {}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Runs a step on the file system, whose failure is told as "`what`: reason". */
export const step = <A>(what: string, run: () => A): Effect.Effect<A, EmbeddedPostgresFailed> =>
  Effect.try({
    try: run,
    catch: (error) => new EmbeddedPostgresFailed({ message: `${what}: ${messageOf(error)}` })
  })
