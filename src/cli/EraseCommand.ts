import { Clock, Effect, Layer, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { PERSONAL_TABLES } from "../App.ts"
import { ErasureRepository } from "../erasure/ErasureRepository.ts"
import { OPERATOR } from "../identity/accounts/AdminAccount.ts"
import { CommandFailed, explained } from "./CommandFailed.ts"
import { json, print } from "./CommandOutput.ts"
import { databaseSource, workingOn } from "./CommandSource.ts"
import { typed } from "./PasswordInput.ts"
import { databaseFlags } from "./SourceFlags.ts"

const user = Argument.String("user").pipe(
  Argument.withDescription("The user's id, usr_ and 24 characters"),
  Argument.filter(
    (id) => /^usr_\w+$/.test(id),
    () => "Expected a user's id, usr_ and 24 characters"
  )
)

const confirm = Flag.String("confirm").pipe(
  Flag.withDescription("The id once more, where nobody can be asked"),
  Flag.withMetavar("USER"),
  Flag.optional
)

const WORD = "erase"

const asked = Effect.fnUntraced(function* (userId: string) {
  const questions = [
    `Nothing brings back what identifies ${userId}. Type the id again: `,
    `Type ${WORD} to erase it for good: `
  ]
  const answers = yield* Effect.promise(() => typed(questions))
  if (answers === undefined) return yield* Effect.interrupt
  const [id, word] = answers
  if (id !== userId || word !== WORD) return yield* new CommandFailed({ message: "Nothing was erased." })
})

/** Twice: by two answers at a terminal, or by the id in an argument and in a flag. */
const confirmed = Effect.fnUntraced(function* (userId: string, again: Option.Option<string>) {
  if (Option.isNone(again) && process.stdin.isTTY) return yield* asked(userId)
  if (Option.getOrUndefined(again) === userId) return
  return yield* new CommandFailed({ message: `Nothing was erased: give the id once more, --confirm ${userId}.` })
})

/** Forgets what identifies a user. */
export const eraseCommand = Command.make(
  "erase",
  { user, confirm, ...databaseFlags, json },
  Effect.fnUntraced(function* (given) {
    const source = yield* explained(databaseSource(given))
    yield* confirmed(given.user, given.confirm)
    const erased = yield* Effect.gen(function* () {
      const { erase } = yield* ErasureRepository
      return yield* erase(OPERATOR, given.user, yield* Clock.currentTimeMillis)
    }).pipe(
      Effect.catchTag("UserNotFound", () => new CommandFailed({ message: `There is no user ${given.user}.` })),
      Effect.provide(ErasureRepository.layer(PERSONAL_TABLES).pipe(Layer.provide(workingOn(source)))),
      explained
    )
    const { at, companyErased, companyId, userId } = erased
    const text = [
      `erased   ${userId}${companyErased ? `, and its company ${companyId}, whose last person it was` : ""}`,
      "server   follows within 30 seconds, or when it starts: sign-ins end, and the journal has it",
      "backups  run emporion backup on each place now: it removes the keys without which older ones cannot be read"
    ].join("\n")
    yield* print(given.json, { id: userId, companyId, companyErased, erasedAt: at }, text)
  })
).pipe(
  Command.withShortDescription("Forget what identifies a user"),
  Command.withDescription(
    "Removes what identifies a user, and ends their sign-ins: a running server follows within 30 seconds. If it is the last person of " +
      "a company, that company's contacts go too. Ids, the ledger and statements stay. Refused for administrators, and " +
      "while the user or an API client that it made has money, a bot, a product on sale, an order, a subscription or a KYC " +
      "record to be decided. Asks twice at a terminal. " +
      "docs/operating/erasure.md says what goes, and what stays where."
  ),
  Command.withExamples([
    { command: "emporion erase usr_0123456789abcdefghijklmn", description: "Asks twice" },
    {
      command: "emporion erase usr_0123456789abcdefghijklmn --confirm usr_0123456789abcdefghijklmn --json",
      description: "For a program"
    }
  ])
)
