import { Data } from "effect"

/** This process may no longer write and has to end. Its message is one sentence or two that say what to do. */
export class Deposed extends Data.TaggedError("Deposed")<{ readonly message: string }> {}

/** Why a server stops if its last told event is not in the database. */
export const missing = (seq: number): Deposed =>
  new Deposed({
    message: `The database lacks event ${seq}, which was told already: this server stops. Look whether an older copy was restored, then start again.`
  })

/** Why a server stops if another one writes its tables. */
export const displaced = (expected: number, found: number): Deposed =>
  new Deposed({
    message: `The tables stand at event ${found} and not at ${expected}, where this server left them: it stops. Look whether another one writes on this database.`
  })
