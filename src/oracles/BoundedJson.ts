import { Data, Effect, Schema, Stream } from "effect"
import { HttpClient, HttpClientResponse } from "effect/http"

/** How long a source may take to answer whole. */
export const REQUEST_TIMEOUT_MILLIS = 5_000

/** The largest body that is read from a source. */
export const BODY_LIMIT_BYTES = 1_048_576

const REASON_LIMIT = 300

/** An answer that could not be had or read. */
export class RequestFailed extends Data.TaggedError("RequestFailed")<{ readonly reason: string }> {}

const failed = (reason: string) => new RequestFailed({ reason: reason.slice(0, REASON_LIMIT) })

const limited = Effect.fnUntraced(function* (response: HttpClientResponse.HttpClientResponse) {
  let size = 0
  const decoder = new TextDecoder()
  const parts = yield* response.stream.pipe(
    Stream.mapEffect((bytes) => {
      size += bytes.length
      return size > BODY_LIMIT_BYTES
        ? Effect.fail(failed(`the body is over ${BODY_LIMIT_BYTES} bytes`))
        : Effect.succeed(decoder.decode(bytes, { stream: true }))
    }),
    Stream.runCollect
  )
  return parts.join("") + decoder.decode()
})

/**
 * Gets a JSON document and decodes it, within {@link REQUEST_TIMEOUT_MILLIS} and {@link BODY_LIMIT_BYTES}. Every other
 * status than 2xx fails.
 */
export const getJson = <S extends Schema.Codec<unknown, unknown>>(
  client: HttpClient.HttpClient,
  url: URL,
  schema: S
): Effect.Effect<S["Type"], RequestFailed> =>
  client.get(url, { headers: { accept: "application/json" } }).pipe(
    Effect.flatMap((response) =>
      response.status >= 200 && response.status < 300
        ? limited(response)
        : Effect.fail(failed(`status ${response.status}`))
    ),
    Effect.flatMap(Schema.decodeUnknownEffect(Schema.fromJsonString(schema))),
    Effect.timeout(REQUEST_TIMEOUT_MILLIS),
    Effect.catchTags({
      HttpClientError: (error) => Effect.fail(failed(error.reason._tag)),
      SchemaError: (error) => Effect.fail(failed(error.message)),
      TimeoutError: () => Effect.fail(failed(`no answer in ${REQUEST_TIMEOUT_MILLIS} ms`))
    })
  )
