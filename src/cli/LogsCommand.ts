import { Console, Effect, Layer, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { FetchHttpClient } from "effect/http"
import { RequestLogRepository } from "../requests/RequestLogRepository.ts"
import { CommandMisused, explained } from "./CommandFailed.ts"
import { databaseSource, workingOn } from "./CommandSource.ts"
import { clientSecretOf, platformClient, platformUrl } from "./PlatformFlags.ts"
import {
  fromDatabase,
  fromPlatform,
  lineOf,
  type ReadRequests,
  RequestReader,
  type TailedRequest
} from "./RequestReader.ts"
import { databaseFlags } from "./SourceFlags.ts"

/** How often to look for what came since. */
const POLL = "1 second"

const MAX_LINES = 10_000

const flags = {
  ...databaseFlags,
  url: platformUrl("A platform to ask over HTTP, by an API client, instead of reading a database"),
  clientId: platformClient("With --url: an API client with the scope users:read.").pipe(Flag.optional),
  lines: Flag.Int("lines").pipe(
    Flag.withDescription("How many of the last requests to begin with, at most 10,000. Default: 20"),
    Flag.withMetavar("N"),
    Flag.withDefault(20),
    Flag.filter(
      (lines) => lines >= 0 && lines <= MAX_LINES,
      () => `Expected a whole number from 0 to ${MAX_LINES}`
    )
  ),
  follow: Flag.Boolean("follow").pipe(
    Flag.withDescription("Go on with what comes, until it is interrupted"),
    Flag.withDefault(false)
  ),
  refused: Flag.Boolean("refused").pipe(
    Flag.withDescription("Refused requests alone: 4xx and 5xx"),
    Flag.withDefault(false)
  ),
  json: Flag.Boolean("json").pipe(
    Flag.withDescription("Print a JSON object a line, as GET /v1/requests lists it"),
    Flag.withDefault(false)
  )
}

interface Options {
  readonly lines: number
  readonly follow: boolean
  readonly json: boolean
}

/** Prints the last requests and, if it is to follow them, what comes. A look that fails later is made again. */
export const tail = Effect.fnUntraced(function* <R>(read: ReadRequests<R>, { follow, json, lines }: Options) {
  const requests = new RequestReader(read)
  const print = (rows: ReadonlyArray<TailedRequest>) =>
    Effect.forEach(rows, (row) => Console.log(json ? JSON.stringify(row) : lineOf(row)), { discard: true })
  yield* Effect.flatMap(requests.last(lines), print)
  if (!follow) return
  const look = Effect.flatMap(requests.next(), print).pipe(
    Effect.catch(({ message }) => Console.error(`${message} Trying again.`))
  )
  return yield* Effect.forever(Effect.delay(look, POLL))
})

const tailCommand = Command.make(
  "tail",
  flags,
  Effect.fnUntraced(function* (given) {
    const server = Option.getOrUndefined(given.url)
    if (server === undefined) {
      const source = yield* explained(databaseSource(given))
      const database = RequestLogRepository.layer.pipe(Layer.provide(workingOn(source)))
      return yield* tail(fromDatabase(given.refused), given).pipe(Effect.provide(database), explained)
    }
    if (Option.isNone(given.clientId)) {
      return yield* new CommandMisused({ message: "Name the API client: --client-id or EMPORION_CLIENT_ID." })
    }
    const client = { server, clientId: given.clientId.value, clientSecret: yield* clientSecretOf() }
    return yield* tail(fromPlatform(client, given.refused), given).pipe(Effect.provide(FetchHttpClient.layer))
  })
).pipe(
  Command.withShortDescription("Print the last requests, and those that come"),
  Command.withDescription(
    "Prints the last requests of the log, a line each: when, the status, how long it took, the operation, who, the " +
      "X-Request-Id and the code of a refusal. Reads the database of the environment, with everybody's requests; with " +
      "--url it asks a platform for those of an API client's company. The client's secret is in EMPORION_CLIENT_SECRET."
  ),
  Command.withExamples([
    { command: "emporion logs tail --follow", description: "The database of the environment" },
    { command: "emporion logs tail --refused --lines 100 --json", description: "For a program" },
    {
      command: "emporion logs tail --follow --url https://api.example.com",
      description: "With EMPORION_CLIENT_ID and EMPORION_CLIENT_SECRET set"
    }
  ])
)

/** The log of requests. */
export const logsCommand = Command.make("logs").pipe(
  Command.withShortDescription("Print the log of requests"),
  Command.withDescription(
    "Shows what was asked of the platform and how it was answered. See docs/operating/requests.md."
  ),
  Command.withSubcommands([tailCommand])
)
