/** How a command names a platform that it asks over HTTP, and the API client by which it does. */

import { Config, Effect, Option, Redacted } from "effect"
import { Flag } from "effect/cli"
import { CommandFailed } from "./CommandFailed.ts"

/** Where a server is that runs on this machine with the settings that are not given. */
export const HERE = "http://127.0.0.1:3000"

/** A URL of HTTP. */
export const httpUrl = (name: string) =>
  Flag.String(name).pipe(
    Flag.filterMap(
      (text) =>
        URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) ? Option.some(new URL(text)) : Option.none(),
      () => "Expected a URL that starts with http:// or https://"
    )
  )

/** The platform's address. */
export const platformUrl = (description: string) =>
  httpUrl("url").pipe(Flag.withDescription(description), Flag.withMetavar("URL"), Flag.optional)

/** The API client by which it is asked. */
export const platformClient = (description: string) =>
  Flag.String("client-id").pipe(
    Flag.withDescription(`${description} Default: EMPORION_CLIENT_ID`),
    Flag.withMetavar("ID"),
    Flag.withFallbackConfig(Config.String("EMPORION_CLIENT_ID"))
  )

const setting = (name: string) => Effect.orDie(Effect.map(Config.option(Config.String(name)), Option.getOrUndefined))

/** The platform that was named, else that of the environment, else one on this machine. */
export const serverOf = Effect.fnUntraced(function* (given: Option.Option<URL>) {
  if (Option.isSome(given)) return given.value
  const text = (yield* setting("EMPORION_URL")) ?? HERE
  return URL.canParse(text) ? new URL(text) : yield* new CommandFailed({ message: "EMPORION_URL: expected a URL." })
})

/** The secret of the API client, from the environment alone. */
export const clientSecretOf = Effect.fnUntraced(function* () {
  const text = yield* setting("EMPORION_CLIENT_SECRET")
  if (text !== undefined) return Redacted.make(text)
  return yield* new CommandFailed({
    message:
      "Set EMPORION_CLIENT_SECRET to the API client's secret. It is never an argument, which everybody could see."
  })
})
