import RECORDED from "../../data/api-examples.json" with { type: "json" }
import { isObject } from "./DocumentJson.ts"
import type { Json, JsonObject } from "./DocumentJson.ts"

/** A request that an operation accepted, and its answer. `scripts/record-examples.ts` records them. */
export interface Example {
  readonly request?: Json
  readonly response?: Json
}

/** By `METHOD /path`. */
export const EXAMPLES = RECORDED as unknown as Readonly<Record<string, Example>>

const JSON_TYPE = "application/json"

/** A body with its example, if it is JSON. */
const exemplified = (body: Json | undefined, example: Json): JsonObject | undefined => {
  if (!isObject(body) || !isObject(body["content"])) return undefined
  const media = body["content"][JSON_TYPE]
  return isObject(media) ? { ...body, content: { ...body["content"], [JSON_TYPE]: { ...media, example } } } : undefined
}

/** The operation with an example of its request and one of its answer, as far as there are any. */
export const withExamples = (operation: Json, method: string, path: string): Json => {
  if (!isObject(operation)) return operation
  const { request, response } = EXAMPLES[`${method.toUpperCase()} ${path}`] ?? {}
  const requestBody = request === undefined ? undefined : exemplified(operation["requestBody"], request)
  const responses = isObject(operation["responses"]) ? operation["responses"] : {}
  const answer = response === undefined ? undefined : exemplified(responses["200"], response)
  return {
    ...operation,
    ...(requestBody === undefined ? {} : { requestBody }),
    ...(answer === undefined ? {} : { responses: { ...responses, "200": answer } })
  }
}
