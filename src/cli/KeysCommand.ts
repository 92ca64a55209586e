import { Effect, Layer } from "effect"
import { Command } from "effect/cli"
import { layerWebCrypto } from "effect/crypto/SecureRandom"
import { Secrets } from "../identity/secrets/Secrets.ts"
import { SigningKeyRepository } from "../identity/tokens/SigningKeyRepository.ts"
import { SEEN_WITHIN, SigningKeys } from "../identity/tokens/SigningKeys.ts"
import { explained } from "./CommandFailed.ts"
import { json, print } from "./CommandOutput.ts"
import { databaseSource, settingsOn, workingOn } from "./CommandSource.ts"
import { recorded } from "./Recorded.ts"
import { rotateSecretCommand } from "./RotateSecretCommand.ts"
import { databaseFlags } from "./SourceFlags.ts"

const seconds = SEEN_WITHIN / 1_000

const isoTime = (millis: number): string => new Date(millis).toISOString()

const keys = SigningKeys.layer.pipe(
  Layer.provide(Layer.mergeAll(SigningKeyRepository.layer, Secrets.layer)),
  Layer.provide(layerWebCrypto)
)

const rotateCommand = Command.make(
  "rotate",
  { ...databaseFlags, json },
  Effect.fnUntraced(function* (given) {
    const source = yield* explained(databaseSource(given))
    const found = yield* Effect.flatMap(SigningKeys, ({ rotate }) => rotate).pipe(
      Effect.tap(({ from, to }) =>
        recorded({ act: "keys.rotate", subjectId: to, before: { kid: from }, after: { kid: to } })
      ),
      Effect.provide(keys.pipe(Layer.provideMerge(Layer.mergeAll(settingsOn(source), workingOn(source))))),
      explained
    )
    const until = isoTime(found.trustedUntil)
    const text = [
      `signs    ${found.to}, also in a running server within ${seconds} seconds`,
      `trusted  ${found.from} until ${until}: nobody is signed out`
    ].join("\n")
    yield* print(given.json, { signs: found.to, retired: found.from, trustedUntil: until }, text)
  })
).pipe(
  Command.withShortDescription("Sign access tokens with a new key from now on"),
  Command.withDescription(
    `Makes a new key that signs access tokens, at once and in a running server within ${seconds} seconds. The old key ` +
      "stays at /.well-known/jwks.json and is trusted for an hour, longer than any token that it signed lives, so nobody " +
      "is signed out. Needs the server's SECRET_KEY, under which the keys are encrypted."
  ),
  Command.withExamples([
    { command: "emporion keys rotate", description: "The sandbox of .data" },
    {
      command: "emporion keys rotate --json",
      description: "In production, with the server's APP_MODE, DATABASE_URL and SECRET_KEY in the environment"
    }
  ])
)

/** The keys that sign access tokens, and the one that everything secret is encrypted under. */
export const keysCommand = Command.make("keys").pipe(
  Command.withShortDescription("Change the key that signs access tokens, or SECRET_KEY"),
  Command.withDescription("Changes the key that signs access tokens, or the key that secrets are encrypted under."),
  Command.withSubcommands([rotateCommand, rotateSecretCommand])
)
