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

/** The faults of a query's values. A parameter that was given several times is told so, and not what its type is. */
const inQuery = (endpoint: Endpoint, query: HttpServerRequest.ParsedSearchParams["Service"]) => {
  if (endpoint.query === undefined) return NONE
  const schema = Schema.toCodecArrayFromSingle(endpoint.query) as unknown as AnyCodec
  const isRepeated = ({ field }: FieldError) => Array.isArray(query[field.slice("query.".length)])
  return ValidationErrors.of("query", schema, query).map((fault) =>
    isRepeated(fault) ? { field: fault.field, expected: ONCE } : fault
  )
}

const inBody = (endpoint: Endpoint, request: HttpServerRequest.HttpServerRequest) => {
  const type = request.headers["content-type"]?.split(";", 1)[0]?.trim().toLowerCase() ?? "application/json"
  const taken = endpoint.payload.get(type)
  const tag = taken?.encoding._tag
  if (taken === undefined || (tag !== "Json" && tag !== "FormUrlEncoded")) return Effect.succeed(NONE)
  const union = Schema.Union(taken.schemas as ReadonlyArray<Schema.Top>)
  const schema = (tag === "Json" ? union : Schema.toCodecArrayFromSingle(union)) as unknown as AnyCodec
  const options = Context.getOrUndefined(endpoint.annotations, HttpApi.PayloadParseOptions)
  const whenRead = <A, E>(sent: Effect.Effect<A, E>) =>
    Effect.matchCause(sent, {
      onSuccess: (value) => ValidationErrors.of("payload", schema, value, options),
      onFailure: () => NONE
    })
  return tag === "Json" ? whenRead(request.json) : whenRead(Effect.map(request.urlParamsBody, UrlParams.toRecord))
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
      ...inQuery(endpoint, query),
      ...(yield* inBody(endpoint, request))
    ].slice(0, MAX_FIELD_ERRORS)
  })
