import { Effect, Layer, Redacted } from "effect"
import { Command } from "effect/cli"
import { layerWebCrypto } from "effect/crypto/SecureRandom"
import { SEALED_COLUMNS } from "../App.ts"
import { Settings } from "../Config.ts"
import { ProcessLock } from "../database/ProcessLock.ts"
import { Passwords } from "../identity/sessions/Passwords.ts"
import { keyName, rotateSecret, type Rotation } from "../identity/secrets/KeyRotation.ts"
import { SealedBoxRepository } from "../identity/secrets/SealedBoxRepository.ts"
import { Secrets } from "../identity/secrets/Secrets.ts"
import { UserRepository } from "../identity/users/UserRepository.ts"
import { renewPassword } from "../sandbox/DemoPassword.ts"
import { adoptNextKey, keptKeyFile, keptNextKey, type SecretKey, secretKey } from "../SecretKey.ts"
import * as Setting from "../Setting.ts"
import { CommandFailed, explained } from "./CommandFailed.ts"
import { json, print } from "./CommandOutput.ts"
import { databaseSource, settingsOn, workingOn } from "./CommandSource.ts"
import { recorded } from "./Recorded.ts"
import { databaseFlags } from "./SourceFlags.ts"

const OPERATED = "SECRET_KEY"

/** The key that comes, and whether it is the sandbox's own, which is kept in a file. */
interface Next {
  readonly key: SecretKey
  readonly isKept: boolean
}

const failed = (message: string) => new CommandFailed({ message })

const nextKey = Effect.gen(function* (): Effect.fn.Return<Next, CommandFailed | Setting.SettingRefused, Settings> {
  const { dataDir } = yield* Settings
  const isKept = (yield* Setting.optional("SECRET_KEY", { ...Setting.text, secret: true })) === undefined
  const given = yield* Setting.optional("SECRET_KEY_NEXT", secretKey)
  if (isKept && given === undefined) return { key: yield* keptNextKey(dataDir), isKept }
  if (isKept) {
    return yield* failed(
      `SECRET_KEY_NEXT: expected nothing, because the key of ${keptKeyFile(dataDir)} is replaced by one that is made here. Unset it.`
    )
  }
  if (given !== undefined) return { key: given, isKept }
  return yield* failed(`SECRET_KEY_NEXT: expected the new key: ${secretKey.expected}.`)
})

const isSame = (one: SecretKey, other: SecretKey): boolean =>
  Buffer.from(Redacted.value(one)).equals(Redacted.value(other))

const totalOf = ({ boxes }: Rotation): number => boxes.reduce((sum, { count }) => sum + count, 0)

/** Everything that the keys are for, in one transaction. */
const change = Effect.fnUntraced(function* (from: SecretKey, to: SecretKey) {
  const { transaction } = yield* SealedBoxRepository
  const { mode } = yield* Settings
  const [old, next] = [yield* Secrets.under(from), yield* Secrets.under(to)]
  const work = Effect.gen(function* () {
    const changed = yield* rotateSecret(SEALED_COLUMNS, old, next)
    if (changed.before) return changed
    if (mode === "sandbox") yield* renewPassword(next)
    const after = { key: keyName(next), boxes: String(totalOf(changed)) }
    yield* recorded({ act: "keys.rotate_secret", subjectId: OPERATED, before: { key: keyName(old) }, after })
    return changed
  })
  return yield* transaction(work)
})

const rotate = Effect.gen(function* () {
  const { dataDir, secretKey: current } = yield* Settings
  const next = yield* nextKey
  if (isSame(current, next.key)) {
    return yield* failed("SECRET_KEY_NEXT: expected another key than SECRET_KEY (openssl rand -hex 32).")
  }
  const changed = yield* change(current, next.key)
  if (next.isKept) yield* adoptNextKey(dataDir)
  return { ...changed, next, file: keptKeyFile(dataDir) }
})

type Rotated = Effect.Success<typeof rotate>

const textOf = ({ before, boxes, file, next }: Rotated): string => {
  const counts = boxes.map(({ count, table }) => `${table} ${count}`).join(", ")
  return [
    before
      ? `before   everything was under the new key already: ${counts}`
      : `sealed   ${counts}: each opens under the new key`,
    next.isKept
      ? `next     ${file} holds the new key: start the server. Its banner shows the demo login and API client, whose secrets are new.`
      : "next     give SECRET_KEY the value of SECRET_KEY_NEXT, unset SECRET_KEY_NEXT, and start the server.",
    "signed   access tokens, refresh tokens and API clients stay good; browsers' sessions end, so people sign in again.",
    "old key  opens nothing here any more, but backups from before need it: keep it as long as them, apart from them."
  ].join("\n")
}

const reportOf = ({ before, boxes, next }: Rotated) => ({
  before,
  sealed: Object.fromEntries(boxes.map(({ column, count, table }) => [`${table}.${column}`, count])),
  kept: next.isKept
})

const repositories = Layer.mergeAll(SealedBoxRepository.layer, UserRepository.layer, Passwords.layer)

/** Puts another key in the place of `SECRET_KEY`. */
export const rotateSecretCommand = Command.make(
  "rotate-secret",
  { ...databaseFlags, json },
  Effect.fnUntraced(function* (given) {
    const source = yield* explained(databaseSource(given))
    const rotated = yield* rotate.pipe(
      Effect.provide(
        Layer.merge(repositories, ProcessLock.layer({ wait: 0 })).pipe(
          Layer.provideMerge(Layer.mergeAll(settingsOn(source), workingOn(source), layerWebCrypto))
        )
      ),
      explained
    )
    yield* print(given.json, reportOf(rotated), textOf(rotated))
  })
).pipe(
  Command.withShortDescription("Put another key in the place of SECRET_KEY"),
  Command.withDescription(
    "Decrypts everything in the database that is encrypted under SECRET_KEY (signing keys, KYC records, account numbers) " +
      "and encrypts it under SECRET_KEY_NEXT, in one transaction that opens each piece again before it commits. Stop the " +
      "server first: none can work meanwhile. If it is interrupted, it has changed nothing or everything: run it again, and " +
      "it says which. Without SECRET_KEY it replaces the sandbox's own key by a new one in DATA_DIR/secret.key."
  ),
  Command.withExamples([
    { command: "emporion keys rotate-secret", description: "The sandbox of .data" },
    {
      command: 'SECRET_KEY_NEXT="$(cat next.key)" emporion keys rotate-secret',
      description:
        "In production, with the server's environment and the new key in a file that only its owner can read (openssl rand -hex 32)"
    }
  ])
)
