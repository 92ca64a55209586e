import { Effect, Layer } from "effect"
import { Argument, Command } from "effect/cli"
import { layerWebCrypto } from "effect/crypto/SecureRandom"
import { addAdmin } from "../identity/accounts/AdminAccount.ts"
import { Passwords } from "../identity/sessions/Passwords.ts"
import { UserRepository } from "../identity/users/UserRepository.ts"
import { email as emailSetting } from "../Setting.ts"
import { CommandFailed, explained } from "./CommandFailed.ts"
import { json, print } from "./CommandOutput.ts"
import { databaseSource, workingOn } from "./CommandSource.ts"
import { newPassword } from "./PasswordInput.ts"
import { auditLog } from "./Recorded.ts"
import { databaseFlags } from "./SourceFlags.ts"

const people = Layer.mergeAll(UserRepository.layer, Passwords.layer, auditLog).pipe(Layer.provideMerge(layerWebCrypto))

const email = Argument.String("email").pipe(
  Argument.withDescription("The mail address to sign in with"),
  Argument.filter(
    (given) => emailSetting.parse(given) !== undefined,
    () => `Expected ${emailSetting.expected}`
  )
)

const createCommand = Command.make(
  "create",
  { email, ...databaseFlags, json },
  Effect.fnUntraced(function* (given) {
    const source = yield* explained(databaseSource(given))
    const id = yield* Effect.gen(function* () {
      const repository = yield* UserRepository
      const isTaken = (yield* repository.credentials(given.email)) !== undefined
      const password = isTaken ? undefined : yield* newPassword(given.email)
      if (password === undefined) return yield* new CommandFailed({ message: taken(given.email) })
      return yield* addAdmin(given.email, password)
    }).pipe(
      Effect.catchTag("EmailTaken", () => new CommandFailed({ message: taken(given.email) })),
      Effect.provide(people.pipe(Layer.provide(workingOn(source)))),
      explained
    )
    yield* print(given.json, { id, email: given.email, role: "admin" }, `made  administrator ${given.email} (${id})`)
  })
).pipe(
  Command.withShortDescription("Make an administrator"),
  Command.withDescription(
    "Makes an administrator in the platform's own company, at once also for a running server. Asks for the password " +
      "twice at a terminal, and otherwise takes the first line of standard input. It is never an argument, which every " +
      "user of the machine could see."
  ),
  Command.withExamples([
    { command: "emporion admin create ada@example.com", description: "Asks for the password" },
    {
      command: "emporion admin create ada@example.com < password.txt",
      description: "From a file that only its owner can read"
    }
  ])
)

const taken = (address: string): string => `There is a user with the mail address ${address} already: choose another.`

/** Administrators. */
export const adminCommand = Command.make("admin").pipe(
  Command.withShortDescription("Make administrators"),
  Command.withDescription("Makes administrators, on a database in use or not."),
  Command.withSubcommands([createCommand])
)
