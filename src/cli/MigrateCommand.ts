import { Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import type { Migration } from "../database/Migration.ts"
import { label, migrate, rollback, status, undoable } from "../database/Migrations.ts"
import { ProcessLock } from "../database/ProcessLock.ts"
import { CommandFailed, explained } from "./CommandFailed.ts"
import { json, print } from "./CommandOutput.ts"
import { databaseSource, workingOn } from "./CommandSource.ts"
import { type DatabaseFlags, databaseFlags } from "./SourceFlags.ts"

const dryRun = Flag.Boolean("dry-run").pipe(
  Flag.withDescription("Say what would be done, and do nothing"),
  Flag.withDefault(false)
)

const named = (migrations: ReadonlyArray<Migration>): ReadonlyArray<string> => migrations.map(label)

const lines = (word: string, migrations: ReadonlyArray<Migration>, otherwise: string): string =>
  migrations.length === 0
    ? otherwise
    : named(migrations)
        .map((name) => `${word}  ${name}`)
        .join("\n")

/** The schema does not change under a running server. */
const alone = ProcessLock.layer({ wait: 0 })

const on = (given: DatabaseFlags) => Effect.map(databaseSource(given), (source) => workingOn(source))

const statusCommand = Command.make(
  "status",
  { ...databaseFlags, json },
  Effect.fnUntraced(function* (given) {
    const { applied, pending } = yield* Effect.flatMap(on(given), (database) =>
      Effect.provide(status(), database)
    ).pipe(explained)
    const ran = applied.map((one) => ({ migration: label(one), at: one.at.toISOString() }))
    const text = [
      ...ran.map(({ migration, at }) => `applied  ${migration}  ${at}`),
      lines("pending", pending, "nothing is pending")
    ].join("\n")
    yield* print(given.json, { applied: ran, pending: named(pending) }, text)
  })
).pipe(
  Command.withShortDescription("List what was applied and what is pending"),
  Command.withDescription("Lists the migrations that the database has run, and those that it still needs."),
  Command.withExamples([{ command: "emporion migrate status", description: "The database of the environment" }])
)

const upCommand = Command.make(
  "up",
  { ...databaseFlags, dryRun, json },
  Effect.fnUntraced(function* (given) {
    const work = given.dryRun ? Effect.map(status(), ({ pending }) => pending) : Effect.provide(migrate(), alone)
    const migrations = yield* Effect.flatMap(on(given), (database) => Effect.provide(work, database)).pipe(explained)
    const text = lines(given.dryRun ? "would apply" : "applied", migrations, "nothing is pending")
    yield* print(given.json, { dryRun: given.dryRun, applied: named(migrations) }, text)
  })
).pipe(
  Command.withShortDescription("Apply what is pending"),
  Command.withDescription(
    "Applies every pending migration, each in a transaction of its own. A server does the same at its start. Refuses " +
      "while a server works on the database."
  ),
  Command.withExamples([
    { command: "emporion migrate up --dry-run", description: "What would be applied" },
    {
      command: "emporion migrate up --database postgresql://emporion@host/emporion",
      description: "A PostgreSQL elsewhere"
    }
  ])
)

const count = Argument.Int("count").pipe(
  Argument.withDescription("How many of the last applied migrations to undo, at least 1"),
  Argument.filter(
    (given) => given >= 1,
    () => "Expected a whole number from 1 on"
  )
)

const yes = Flag.Boolean("yes").pipe(
  Flag.withDescription("Really do it: tables and columns go with all their data"),
  Flag.withDefault(false)
)

const undo = Effect.fnUntraced(function* (wanted: number, really: boolean) {
  const found = yield* status()
  const migrations = yield* undoable(found, wanted)
  if (!really) return migrations
  const target = found.applied.at(-wanted - 1)?.id ?? 0
  return yield* rollback(target)
})

const downCommand = Command.make(
  "down",
  { count, ...databaseFlags, dryRun, yes, json },
  Effect.fnUntraced(function* (given) {
    const really = given.yes && !given.dryRun
    const work = really ? Effect.provide(undo(given.count, true), alone) : undo(given.count, false)
    const migrations = yield* Effect.flatMap(on(given), (database) => Effect.provide(work, database)).pipe(explained)
    const text = lines(really ? "undone" : "would undo", migrations, "nothing was applied")
    yield* print(given.json, { dryRun: !really, undone: named(migrations) }, text)
    if (really || given.dryRun || migrations.length === 0) return
    return yield* new CommandFailed({
      message: "Nothing was undone: that drops tables with all that is in them. Add --yes to do it."
    })
  })
).pipe(
  Command.withShortDescription("Undo the last ones"),
  Command.withDescription(
    "Undoes the given number of migrations, the last first, each in a transaction of its own. Tables and columns go " +
      "with all their data: make a backup first. Refuses, and undoes nothing, if one of them cannot be undone or while " +
      "a server works on the database."
  ),
  Command.withExamples([
    { command: "emporion migrate down 1 --dry-run", description: "What would be undone" },
    { command: "emporion migrate down 1 --yes", description: "Undo the last one" }
  ])
)

/** Looks at and changes the schema. */
export const migrateCommand = Command.make("migrate").pipe(
  Command.withShortDescription("Look at and change the database's schema"),
  Command.withDescription(
    "Looks at and changes the database's schema. A server applies what is pending by itself when it starts."
  ),
  Command.withSubcommands([statusCommand, upCommand, downCommand])
)
