import { Effect, Predicate, Schedule } from "effect"
import { ApiError, NoAnswer } from "../../../packages/client/src/ApiError.ts"
import {
  type Answered,
  type CallArguments,
  EmporionClient,
  type EmporionOptions
} from "../../../packages/client/src/EmporionClient.ts"
import {
  addressOf,
  type Asked,
  type Operation,
  type RequestOf,
  type ResponseOf
} from "../../../packages/client/src/Operation.ts"
import { CommandFailed } from "../CommandFailed.ts"

/** A platform refused a request: with which status, for a caller that reckons with it. */
class PlatformRefused extends CommandFailed {
  readonly status: number

  constructor(message: string, status: number) {
    super({ message })
    this.status = status
  }
}

/** The pause between two looks at what the platform does by itself. */
const POLL = "500 millis"

const NOT_FOUND = 404

const idIn = (body: unknown): string =>
  Predicate.hasProperty(body, "id") && typeof body.id === "string" ? ` ${body.id}` : ""

/** The method and the path of an operation, with the names in it. */
const lineOf = (url: string, operation: string, asked: Asked): string => {
  const address = addressOf(url, operation, asked)
  const { pathname, search } = new URL(address.url)
  return `${address.method} ${pathname}${search}`
}

/** Somebody who asks the platform. Each answer is told in a line. */
export class TriggerParty {
  readonly #client: EmporionClient
  readonly #url: string
  readonly #told: (line: string) => Effect.Effect<void>

  constructor(options: EmporionOptions, tell: (line: string) => Effect.Effect<void>, name = "") {
    this.#client = new EmporionClient(options)
    this.#url = options.url
    this.#told = (line) => tell(name === "" ? line : `${line}  by the ${name}`)
  }

  ask<O extends Operation>(operation: O, request: RequestOf<O>): Effect.Effect<ResponseOf<O>, CommandFailed> {
    return Effect.flatMap(this.#answered(operation, request), (answered) => this.#tell(operation, request, answered))
  }

  /** The same of what there may not be. */
  find<O extends Operation>(
    operation: O,
    request: RequestOf<O>
  ): Effect.Effect<ResponseOf<O> | undefined, CommandFailed> {
    return Effect.catchIf(
      this.ask(operation, request),
      (error) => error instanceof PlatformRefused && error.status === NOT_FOUND,
      () => Effect.as(this.#told(`${lineOf(this.#url, operation, request)} → ${NOT_FOUND}`), undefined)
    )
  }

  /** Asks again until it is as it is to be, and fails where that takes longer than so many seconds. */
  until<O extends Operation>(
    operation: O,
    request: RequestOf<O>,
    holds: (response: ResponseOf<O>) => boolean,
    seconds: number
  ): Effect.Effect<ResponseOf<O>, CommandFailed> {
    const message = `${lineOf(this.#url, operation, request)} is not what it was to become within ${seconds} seconds.`
    return this.#answered(operation, request).pipe(
      Effect.repeat({ until: ({ body }) => holds(body), schedule: Schedule.spaced(POLL) }),
      Effect.timeoutOrElse({
        duration: `${seconds} seconds`,
        orElse: () => Effect.fail(new CommandFailed({ message }))
      }),
      Effect.flatMap((answered) => this.#tell(operation, request, answered))
    )
  }

  #tell<O extends Operation>(operation: O, request: RequestOf<O>, { body, status }: Answered<ResponseOf<O>>) {
    return Effect.as(this.#told(`${lineOf(this.#url, operation, request)} → ${status}${idIn(body)}`), body)
  }

  #answered<O extends Operation>(operation: O, request: RequestOf<O>) {
    return Effect.tryPromise({
      try: (signal) => this.#client.ask(operation, ...([request, { signal }] as unknown as CallArguments<O>)),
      catch: (error) => this.#refused(lineOf(this.#url, operation, request), error)
    })
  }

  #refused(line: string, error: unknown): CommandFailed {
    if (error instanceof ApiError) {
      const { code, message, status } = error
      return new PlatformRefused(`${line} → ${status} ${code}: ${message}`, status)
    }
    const { origin } = new URL(this.#url)
    return new CommandFailed({
      message:
        error instanceof NoAnswer
          ? `${origin} cannot be reached: look at --url.`
          : `${line}: ${error instanceof Error ? error.message : String(error)}`
    })
  }
}
