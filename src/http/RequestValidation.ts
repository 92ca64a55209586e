import { Context, Effect, Schema, SchemaAST } from "effect"
import { HttpRouter, HttpServerRequest, UrlParams } from "effect/http"
import { HttpApi } from "effect/http-api"
import type { HttpApiEndpoint } from "effect/http-api"
import { TakesAnyQuery } from "../api/Conventions.ts"
import { type FieldError, MAX_FIELD_ERRORS } from "../api/FieldError.ts"
import * as ValidationErrors from "./ValidationErrors.ts"

type Endpoint = HttpApiEndpoint.Top
type AnyCodec = Schema.Codec<unknown, unknown>

const NONE: ReadonlyArray<FieldError> = []

/** The names of a query's parameters. */
const namesOf = (schema: Schema.Top | undefined): ReadonlyArray<string> => {
  const ast = schema === undefined ? undefined : SchemaAST.toEncoded(schema.ast)
  return ast?._tag === "Objects" ? ast.propertySignatures.map(({ name }) => String(name)) : []
}

/** What judging a query needs to know of an endpoint. */
type Queried = Pick<Endpoint, "query" | "annotations">

const known = new WeakMap<Queried, ReadonlyArray<string>>()

const parametersOf = (endpoint: Queried): ReadonlyArray<string> => {
  const found = known.get(endpoint) ?? namesOf(endpoint.query)
  known.set(endpoint, found)
  return found
}

/** The parameters of a request's query that its endpoint does not know, each with those that it does. */
export const unknownParameters = (
  endpoint: Queried,
  query: HttpServerRequest.ParsedSearchParams["Service"]
): ReadonlyArray<FieldError> => {
  const given = Object.keys(query)
  if (given.length === 0 || Context.get(endpoint.annotations, TakesAnyQuery)) return NONE
  const names = parametersOf(endpoint)
  const expected = names.length === 0 ? "no parameters here" : `one of the parameters ${names.join(", ")}`
  return given
    .filter((name) => !names.includes(name))
    .slice(0, MAX_FIELD_ERRORS)
    .map((name) => ({ field: `query.${name.slice(0, 100)}`, expected }))
}

const ONCE = "one value, and several were given"

const NO_BODY: ReadonlyArray<FieldError> = [{ field: "payload", expected: "a body, and none was given" }]

/** Values that were given as pairs, each of which may come several times. */
type Pairs = HttpServerRequest.ParsedSearchParams["Service"]

/** The faults of such values. One that was given several times is told so, and not what its type is. */
const ofPairs = (place: string, given: Schema.Top, pairs: Pairs, options?: SchemaAST.ParseOptions) => {
  const schema = Schema.toCodecArrayFromSingle(given) as unknown as AnyCodec
  const isRepeated = ({ field }: FieldError) => Array.isArray(pairs[field.slice(place.length + 1)])
  return ValidationErrors.of(place, schema, pairs, options).map((fault) =>
    isRepeated(fault) ? { field: fault.field, expected: ONCE } : fault
  )
}

const inBody = (endpoint: Endpoint, request: HttpServerRequest.HttpServerRequest) => {
  const type = request.headers["content-type"]?.split(";", 1)[0]?.trim().toLowerCase() ?? "application/json"
  const taken = endpoint.payload.get(type)
  const tag = taken?.encoding._tag
  if (taken === undefined || (tag !== "Json" && tag !== "FormUrlEncoded")) return Effect.succeed(NONE)
  const union = Schema.Union(taken.schemas as ReadonlyArray<Schema.Top>)
  const options = Context.getOrUndefined(endpoint.annotations, HttpApi.PayloadParseOptions)
  const readable = <A, E>(sent: Effect.Effect<A, E>, faults: (value: A) => ReadonlyArray<FieldError>) =>
    Effect.matchCause(sent, { onSuccess: faults, onFailure: () => NONE })
  if (tag === "FormUrlEncoded") {
    return readable(request.urlParamsBody, (form) => ofPairs("payload", union, UrlParams.toRecord(form), options))
  }
  const ofValue = (value: unknown) => ValidationErrors.of("payload", union as unknown as AnyCodec, value, options)
  return Effect.flatMap(
    readable(request.text, (text) => (text === "" && ofValue(undefined).length > 0 ? NO_BODY : NONE)),
    (missing) => (missing.length > 0 ? Effect.succeed(missing) : readable(request.json, ofValue))
  )
}

/** Every fault of a request in its path, its query and its body, as far as they can be read. At most {@link MAX_FIELD_ERRORS}. */
export const faultsOf = (
  endpoint: Endpoint
): Effect.Effect<
  ReadonlyArray<FieldError>,
  never,
  HttpServerRequest.HttpServerRequest | HttpServerRequest.ParsedSearchParams | HttpRouter.RouteContext
> =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const { params } = yield* HttpRouter.RouteContext
    const query = yield* HttpServerRequest.ParsedSearchParams
    const at = (place: string, schema: Schema.Top | undefined, value: unknown) =>
      schema === undefined ? NONE : ValidationErrors.of(place, schema as unknown as AnyCodec, value)
    return [
      ...at("path", endpoint.params, params),
      ...unknownParameters(endpoint, query),
      ...(endpoint.query === undefined ? NONE : ofPairs("query", endpoint.query, query)),
      ...(yield* inBody(endpoint, request))
    ].slice(0, MAX_FIELD_ERRORS)
  })
