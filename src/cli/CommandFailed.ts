import { Data, Effect, Predicate } from "effect"
import { CliError } from "effect/cli"
import { readingProblem } from "../database/ReadOnlyDatabase.ts"

/** A command did not do what it was asked, or found what it looks for. Its message tells what to do. */
export class CommandFailed extends Data.TaggedError("CommandFailed")<{ readonly message: string }> {
  override get [CliError.userMessage](): string {
    return this.message
  }
}

/** A command line whose parts are each understood, and that makes no sense as a whole. Its message tells what to write. */
export class CommandMisused extends CommandFailed {}

const sentence = (error: unknown): string =>
  readingProblem(error) ?? (Predicate.hasProperty(error, "message") ? String(error.message) : String(error))

/** Every typed failure as its own sentence. */
export const explained = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, CommandFailed, R> =>
  Effect.mapError(effect, (error) =>
    error instanceof CommandFailed ? error : new CommandFailed({ message: sentence(error) })
  )
