import { API_DOCUMENT, type DocumentedOperation } from "../ApiDocument.ts"
import { type JsonSchema, resolved } from "../SchemaArbitrary.ts"

const queryOf = ({ parameters = [] }: DocumentedOperation): JsonSchema | undefined => {
  const inQuery = parameters.filter((parameter) => parameter.in === "query")
  if (inQuery.length === 0) return undefined
  return {
    type: "object",
    properties: Object.fromEntries(inQuery.map(({ name, schema }) => [name, schema])),
    required: inQuery.filter(({ required }) => required === true).map(({ name }) => name)
  }
}

/** A field of a request, or one inside of a field, as the document describes it. */
export interface Described {
  /** Names with a dot between; 0 for what is in an array. */
  readonly field: string
  readonly schema: JsonSchema
  /** Whether it may be left out, and takes null and an empty text for that. */
  readonly optional: boolean
}

const isNothing = ({ $ref = "" }: JsonSchema): boolean => /\/(Absent|Cleared)$/.test($ref)

/** What a field takes beside nothing. */
const valueOf = (given: JsonSchema): JsonSchema => {
  const values = given.anyOf?.filter((one) => !isNothing(one)) ?? []
  return given.anyOf?.some(isNothing) === true && values[0] !== undefined ? values[0] : given
}

/** Every field of a request. */
export const fieldsOf = (given: JsonSchema, path = ""): ReadonlyArray<Described> => {
  const schema = resolved(API_DOCUMENT.components.schemas, valueOf(given))
  const inner: ReadonlyArray<readonly [string, JsonSchema]> = [
    ...Object.entries(schema.properties ?? {}),
    ...(schema.items === undefined ? [] : [["0", schema.items] as const])
  ]
  return inner.flatMap(([name, value]) => {
    const field = `${path}${name}`
    const optional = schema.properties !== undefined && schema.required?.includes(name) !== true
    return [
      { field, schema: resolved(API_DOCUMENT.components.schemas, valueOf(value)), optional },
      ...fieldsOf(value, `${field}.`)
    ]
  })
}

/** A body by its operation; each of several bodies by its own name too. */
const bodiesOf = (name: string, given: JsonSchema): ReadonlyArray<readonly [string, JsonSchema]> => {
  const { schemas } = API_DOCUMENT.components
  const { anyOf, ...schema } = resolved(schemas, given)
  if (anyOf === undefined) return [[name, schema]]
  return anyOf.map((one, place) => [`${name} as ${one.$ref?.split("/").at(-1) ?? place}`, resolved(schemas, one)])
}

const described = (): ReadonlyMap<string, JsonSchema> => {
  const found = new Map<string, JsonSchema>()
  for (const [path, methods] of Object.entries(API_DOCUMENT.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const name = `${method.toUpperCase()} ${path}`
      const body = operation.requestBody?.content["application/json"]
      for (const [each, schema] of body === undefined ? [] : bodiesOf(name, body.schema)) found.set(each, schema)
      const query = queryOf(operation)
      if (query !== undefined) found.set(`${name} ?`, query)
    }
  }
  return found
}

/**
 * What each request takes: its body by `METHOD /path`, its query by `METHOD /path ?`. Where an operation takes one of
 * several bodies, each by `METHOD /path as Name`.
 */
export const REQUEST_SCHEMAS = described()
