import { Config, Console, Effect, Option, Redacted } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { WEBHOOK_EVENT_TYPES, type WebhookEventType } from "../../engine/webhooks/WebhookEventType.ts"
import type { CredentialOptions } from "../../packages/client/src/Credentials.ts"
import { CommandFailed, CommandMisused } from "./CommandFailed.ts"
import { json, print } from "./CommandOutput.ts"
import { clientSecretOf, HERE, httpUrl, platformClient, platformUrl, serverOf } from "./PlatformFlags.ts"
import { TriggerParty } from "./trigger/TriggerParty.ts"
import { TRIGGER_SCENARIOS } from "./trigger/TriggerScenarios.ts"

const isType = (text: string): text is WebhookEventType => (WEBHOOK_EVENT_TYPES as ReadonlyArray<string>).includes(text)

const types = WEBHOOK_EVENT_TYPES.join(", ")

const event = Argument.String("event").pipe(
  Argument.withDescription(`The type of the event: ${types}`),
  Argument.filterMap(
    (text) => (isType(text) ? Option.some(text) : Option.none()),
    () => `Expected one of ${types}`
  ),
  Argument.optional
)

/** The administrator of a sandbox that nobody has named. */
const ADMIN_EMAIL = "admin@emporion.local"

/** Where an administrator's sign-in is: the settings by which a first start makes one. */
const adminSettings = Config.all({
  email: Config.String("ADMIN_EMAIL").pipe(Config.withDefault(ADMIN_EMAIL)),
  password: Config.Redacted("ADMIN_PASSWORD")
})

/** Fails for a server where what the scenarios make would be real. */
const sandboxAlone = Effect.fnUntraced(function* (server: URL) {
  const client = new TriggerParty({ url: server.href, retries: 0 }, () => Effect.void)
  const { mode } = yield* client.ask("GET /v1/info", {})
  if (mode === "sandbox") return
  return yield* new CommandFailed({
    message:
      mode === "production"
        ? `${server.origin} is in production: this moves money and makes companies, so name a sandbox with --url.`
        : `${server.origin} answers like no Emporion: look at --url.`
  })
})

interface Triggering {
  readonly server: URL
  readonly clientId: string
  readonly clientSecret: Redacted.Redacted
  readonly endpoint: URL | undefined
}

/** Makes an event happen to the company of an API client. Answers the id of what it tells of. */
const trigger = Effect.fnUntraced(function* (
  type: WebhookEventType,
  { clientId, clientSecret, endpoint, server }: Triggering,
  tell: (line: string) => Effect.Effect<void>
) {
  yield* sandboxAlone(server)
  const party = (name: string, credentials: CredentialOptions = {}) =>
    new TriggerParty({ url: server.href, ...credentials }, tell, name)
  const caller = party("", { clientId, clientSecret: Redacted.value(clientSecret) })
  const administrator = Effect.fnUntraced(function* (act: string) {
    const { email, password } = yield* Effect.mapError(
      adminSettings,
      () =>
        new CommandFailed({
          message: `${act} takes an administrator: set ADMIN_PASSWORD, and ADMIN_EMAIL if it is not ${ADMIN_EMAIL}.`
        })
    )
    const body = { email, password: Redacted.value(password) }
    const { access_token: token } = yield* party("administrator").ask("POST /api/v1/auth/login", { body })
    return party("administrator", { token })
  })
  const me = yield* caller.ask("GET /api/v1/users/me", {})
  return yield* TRIGGER_SCENARIOS[type]({ caller, me, party, administrator, endpoint, tell })
})

/** `emporion trigger`: makes an event of a webhook happen in a sandbox. */
export const triggerCommand = Command.make(
  "trigger",
  {
    event,
    url: platformUrl(`The platform, a sandbox. Default: EMPORION_URL, else ${HERE}`),
    clientId: platformClient("An API client of the account, with every scope.").pipe(Flag.optional),
    endpoint: httpUrl("endpoint").pipe(
      Flag.withDescription("For webhook.test: where it is posted to. Default: the account's first enabled webhook"),
      Flag.withMetavar("URL"),
      Flag.optional
    ),
    json
  },
  Effect.fnUntraced(function* (given) {
    // Both are looked at here, so that whoever names no type reads which there are, whatever else is missing.
    if (Option.isNone(given.event))
      return yield* new CommandMisused({ message: `Name the type of the event: ${types}.` })
    if (Option.isNone(given.clientId)) {
      return yield* new CommandMisused({ message: "Name the API client: --client-id or EMPORION_CLIENT_ID." })
    }
    const { value: type } = given.event
    const server = yield* serverOf(given.url)
    const clientSecret = yield* clientSecretOf()
    const endpoint = Option.getOrUndefined(given.endpoint)
    const tell = given.json ? () => Effect.void : Console.log
    const id = yield* trigger(type, { server, clientId: given.clientId.value, clientSecret, endpoint }, tell)
    yield* print(given.json, { event: type, id }, `${type}  ${id}`)
  })
).pipe(
  Command.withShortDescription("Make an event of a webhook happen in a sandbox"),
  Command.withDescription(
    "Makes an event happen to the account of an API client, by the acts over HTTP that lead to it: `webhooks listen` " +
      "shows it, and the events of these acts. The account buys; who sells to it is registered for that. Prints one line " +
      "for each act, and then the id of what the event tells of. Refuses a server in production. The API client's secret " +
      "is in EMPORION_CLIENT_SECRET. company.verified needs an administrator, and so does an account that awaits KYC where " +
      "it is to pay, which is verified then: their sign-in is in ADMIN_EMAIL and ADMIN_PASSWORD, the server's settings."
  ),
  Command.withExamples([
    {
      command: "emporion trigger order.paid",
      description: "With EMPORION_CLIENT_ID and EMPORION_CLIENT_SECRET set"
    },
    {
      command: "emporion trigger webhook.test --endpoint https://example.com/hook",
      description: "To one URL alone: webhooks listen does not hear it"
    }
  ])
)
