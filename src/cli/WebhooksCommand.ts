import { Clock, Config, Console, Effect, Option, Redacted, Result } from "effect"
import { Command, Flag } from "effect/cli"
import { layerWebCrypto } from "effect/crypto/SecureRandom"
import { FetchHttpClient } from "effect/http"
import { readFileSync } from "node:fs"
import { EVERY_TYPE, WANTED_EVENTS, type WantedEvent } from "../../engine/webhooks/WantedEvents.ts"
import { isoUtc } from "../api/Timestamp.ts"
import { checkSignature, TOLERANCE } from "../webhooks/SignatureCheck.ts"
import { newSecret } from "../webhooks/WebhookSecrets.ts"
import { CommandFailed, explained } from "./CommandFailed.ts"
import { json, print } from "./CommandOutput.ts"
import { clientSecretOf, HERE, httpUrl, platformClient, platformUrl, serverOf } from "./PlatformFlags.ts"
import { listen } from "./WebhookListening.ts"

const isWanted = (type: string): type is WantedEvent => (WANTED_EVENTS as ReadonlyArray<string>).includes(type)

const events = Flag.String("events").pipe(
  Flag.withDescription("Types of events, separated by commas, such as order.paid,payment.captured. Default: every one"),
  Flag.withMetavar("TYPES"),
  Flag.withDefault(EVERY_TYPE),
  Flag.filterMap(
    (text) => {
      const types = text.split(",").map((type) => type.trim())
      return types.every(isWanted) ? Option.some(types) : Option.none()
    },
    () => `Expected types of events with commas between, of ${WANTED_EVENTS.join(", ")}`
  )
)

const secret = Flag.Redacted("secret").pipe(
  Flag.withMetavar("WHSEC"),
  Flag.withFallbackConfig(Config.Redacted("EMPORION_WEBHOOK_SECRET"))
)

const listenFlags = {
  forwardTo: httpUrl("forward-to").pipe(
    Flag.withDescription("Where to post them, such as http://127.0.0.1:4000/hook. Without it they are only listed"),
    Flag.withMetavar("URL"),
    Flag.optional
  ),
  events,
  url: platformUrl(`The platform. Default: EMPORION_URL, else ${HERE}`),
  clientId: platformClient("An API client of the account, with the scope orders:read."),
  secret: secret.pipe(
    Flag.withDescription("What signs them. Default: EMPORION_WEBHOOK_SECRET, else one is made and printed"),
    Flag.optional
  )
}

const listenCommand = Command.make(
  "listen",
  listenFlags,
  Effect.fnUntraced(function* (given) {
    const server = yield* serverOf(given.url)
    const clientSecret = yield* clientSecretOf()
    const made = yield* newSecret().pipe(Effect.provide(layerWebCrypto))
    const signing = Option.getOrElse(given.secret, () => made)
    const forwardTo = Option.getOrUndefined(given.forwardTo)
    const to = forwardTo === undefined ? "" : `, forwarded to ${forwardTo.href}`
    const ready = Effect.gen(function* () {
      yield* Console.log(`listening  events of ${server.origin}${to}`)
      if (forwardTo !== undefined) yield* Console.log(`signed by  ${Redacted.value(signing)}`)
    })
    return yield* listen(
      { server, clientId: given.clientId, clientSecret, events: given.events, forwardTo, secret: signing },
      { ready, event: Console.log, note: Console.error }
    ).pipe(Effect.provide(FetchHttpClient.layer), explained)
  })
).pipe(
  Command.withShortDescription("Forward this account's events to a machine of your own"),
  Command.withDescription(
    "Follows the events of the account's webhooks and posts each to your own machine, once, signed like a delivery: you " +
      "need no public address. Goes on by itself after a lost connection, and misses nothing while it runs. Prints one " +
      "line with the outcome of each event. The API client's secret is in EMPORION_CLIENT_SECRET, never an argument, " +
      "which every user of the machine could see."
  ),
  Command.withExamples([
    {
      command: "emporion webhooks listen --forward-to http://127.0.0.1:4000/hook",
      description: "With EMPORION_CLIENT_ID and EMPORION_CLIENT_SECRET set"
    },
    {
      command: "emporion webhooks listen --forward-to http://127.0.0.1:4000/hook --events order.paid,payment.captured",
      description: "Two types alone"
    }
  ])
)

const nameAndValue = (text: string): readonly [string, string] => {
  const named = /^([A-Za-z][A-Za-z-]*):\s*(.*)$/.exec(text)
  return named === null
    ? ["x-service-signature", text.trim()]
    : [(named[1] ?? "").toLowerCase(), (named[2] ?? "").trim()]
}

const readBody = (path: string): Effect.Effect<Uint8Array, CommandFailed> =>
  Effect.try({
    try: () => readFileSync(path === "-" ? 0 : path),
    catch: () => new CommandFailed({ message: `${path} cannot be read: look at --body.` })
  })

const verifyCommand = Command.make(
  "verify",
  {
    secret: secret.pipe(Flag.withDescription("The webhook's secret. Default: EMPORION_WEBHOOK_SECRET")),
    header: Flag.String("header").pipe(
      Flag.withDescription(
        "The value of X-Service-Signature; or NAME: VALUE, once for each of webhook-id, -timestamp and -signature"
      ),
      Flag.withMetavar("HEADER"),
      Flag.atLeast(1)
    ),
    body: Flag.String("body").pipe(
      Flag.withDescription("The file with the body, byte for byte as it was received; - is standard input"),
      Flag.withMetavar("FILE")
    ),
    anyTime: Flag.Boolean("any-time").pipe(
      Flag.withDescription(`Accept a signature of any time, even one older than ${TOLERANCE} seconds`),
      Flag.withDefault(false)
    ),
    json
  },
  Effect.fnUntraced(function* (given) {
    const body = yield* readBody(given.body)
    const headers = new Map(given.header.map(nameAndValue))
    const now = Math.floor((yield* Clock.currentTimeMillis) / 1_000)
    const tolerance = given.anyTime ? Infinity : TOLERANCE
    const result = checkSignature(Redacted.value(given.secret), { headers, body }, now, tolerance)
    if (Result.isFailure(result)) {
      if (given.json) yield* print(true, { ok: false, reason: result.failure }, "")
      return yield* new CommandFailed({ message: result.failure })
    }
    const { form, signedAt } = result.success
    const signed = isoUtc(signedAt * 1_000)
    yield* print(given.json, { ok: true, form, signed_at: signed }, `valid  ${form}, signed ${signed}`)
  })
).pipe(
  Command.withShortDescription("Check a delivery's signature, and say what is wrong with it"),
  Command.withDescription(
    "Checks the signature of a received delivery against its webhook's secret, in either form: X-Service-Signature, or " +
      "the three headers of Standard Webhooks. If the signature is wrong, says what is wrong, and fails."
  ),
  Command.withExamples([
    {
      command: "emporion webhooks verify --header 't=1763784000,v1=5f0c…' --body body.json",
      description: "With EMPORION_WEBHOOK_SECRET set"
    },
    {
      command:
        "emporion webhooks verify --header 'webhook-id: evt_…' --header 'webhook-timestamp: 1763784000' --header 'webhook-signature: v1,K5oZ…' --body -",
      description: "Standard Webhooks, the body from standard input"
    }
  ])
)

/** For those who receive webhooks. */
export const webhooksCommand = Command.make("webhooks").pipe(
  Command.withShortDescription("Forward events to your own machine, and check signatures"),
  Command.withDescription("Helps you write and test a receiver of webhooks."),
  Command.withSubcommands([listenCommand, verifyCommand])
)
