import { Data } from "effect"

/** This process may not write any more and has to end. Its message is one sentence or two that say what to do. */
export class Deposed extends Data.TaggedError("Deposed")<{ readonly message: string }> {}

/** Why a server stops whose last told event is not in the database. */
export const missing = (seq: number): Deposed =>
  new Deposed({
    message: `The database lacks event ${seq}, which was told already: this server stops. Look whether an older copy was restored, then start again.`
  })

/** Why a server stops whose tables another one writes. */
export const displaced = (expected: number, found: number): Deposed =>
  new Deposed({
    message: `The tables stand at event ${found} and not at ${expected}, where this server left them: it stops. Look whether another one writes on this database.`
  })
