import { isObject } from "./DocumentJson.ts"
import type { Json, JsonObject } from "./DocumentJson.ts"

/** Shorter ones stand where they are used. */
const MIN_LENGTH = 120

/** Longest part of a name that comes from codes. */
const MAX_NAME = 60

type Kind = "responses" | "parameters"

/** The codes that an error's schema names. */
const codesOf = (value: Json | undefined): ReadonlyArray<string> => {
  if (Array.isArray(value)) return value.flatMap(codesOf)
  if (!isObject(value)) return []
  const { code, ...rest } = value
  const named =
    isObject(code) && Array.isArray(code["enum"]) ? code["enum"].filter((one) => typeof one === "string") : []
  return [...named, ...Object.values(rest).flatMap(codesOf)]
}

const nameOf = (kind: Kind, key: string, value: JsonObject): string => {
  const text = JSON.stringify(value)
  const shape = text.includes('"error_description"') ? "OAuth" : text.includes('"success"') ? "Arena" : ""
  const said =
    kind === "parameters" ? String(value["name"]) : `${shape}Error${key}.${codesOf(value["content"]).join("-")}`
  return said.replaceAll(/[^A-Za-z0-9._-]/g, "").slice(0, MAX_NAME)
}

/** Counts values that occur in several places, and names each of them. */
class Shared {
  readonly #kind: Kind
  readonly #times = new Map<string, number>()
  readonly #names = new Map<string, string>()
  readonly components: Record<string, Json> = {}

  constructor(kind: Kind, taken: JsonObject) {
    this.#kind = kind
    this.components = { ...taken }
  }

  count(value: Json): void {
    const text = JSON.stringify(value)
    this.#times.set(text, (this.#times.get(text) ?? 0) + 1)
  }

  /** The reference to a value, or the value itself if it occurs once. */
  of(key: string, value: Json): Json {
    const text = JSON.stringify(value)
    if (!isObject(value) || text.length < MIN_LENGTH || (this.#times.get(text) ?? 0) < 2) return value
    const known = this.#names.get(text)
    if (known !== undefined) return { $ref: known }
    const wanted = nameOf(this.#kind, key, value)
    let name = wanted
    for (let turn = 2; this.components[name] !== undefined; turn += 1) name = `${wanted}.${turn}`
    this.components[name] = value
    const reference = `#/components/${this.#kind}/${name}`
    this.#names.set(text, reference)
    return { $ref: reference }
  }
}

const operationsOf = (paths: Json | undefined): ReadonlyArray<JsonObject> =>
  isObject(paths)
    ? Object.values(paths).flatMap((item) => (isObject(item) ? Object.values(item).filter(isObject) : []))
    : []

const entries = (value: Json | undefined): ReadonlyArray<readonly [string, Json]> =>
  isObject(value) ? Object.entries(value) : []

const list = (value: Json | undefined): ReadonlyArray<Json> => (Array.isArray(value) ? value : [])

const component = (document: JsonObject, kind: Kind): JsonObject => {
  const { components } = document
  const found = isObject(components) ? components[kind] : undefined
  return isObject(found) ? found : {}
}

const isError = (status: string): boolean => Number(status) >= 400

/** The same document with the errors and parameters that several operations share as components. */
export const share = (document: JsonObject): JsonObject => {
  const responses = new Shared("responses", component(document, "responses"))
  const parameters = new Shared("parameters", component(document, "parameters"))
  for (const operation of operationsOf(document["paths"])) {
    for (const [status, response] of entries(operation["responses"])) if (isError(status)) responses.count(response)
    for (const parameter of list(operation["parameters"])) parameters.count(parameter)
  }
  const shared = (operation: Json): Json =>
    isObject(operation)
      ? {
          ...operation,
          ...(operation["parameters"] === undefined
            ? {}
            : { parameters: list(operation["parameters"]).map((parameter) => parameters.of("", parameter)) }),
          ...(operation["responses"] === undefined
            ? {}
            : {
                responses: Object.fromEntries(
                  entries(operation["responses"]).map(([status, response]) => [
                    status,
                    isError(status) ? responses.of(status, response) : response
                  ])
                )
              })
        }
      : operation
  const paths = Object.fromEntries(
    entries(document["paths"]).map(([path, item]) => [
      path,
      Object.fromEntries(entries(item).map(([method, operation]) => [method, shared(operation)]))
    ])
  )
  const { components } = document
  return {
    ...document,
    paths,
    components: {
      ...(isObject(components) ? components : {}),
      responses: responses.components,
      parameters: parameters.components
    }
  }
}

/** What a reference stands for, or the value itself. */
export const resolve = (document: JsonObject, value: Json | undefined): Json | undefined => {
  const reference = isObject(value) ? value["$ref"] : undefined
  if (typeof reference !== "string" || !reference.startsWith("#/")) return value
  return reference
    .slice(2)
    .split("/")
    .reduce<Json | undefined>(
      (at, key) => (isObject(at) ? at[key.replaceAll("~1", "/").replaceAll("~0", "~")] : undefined),
      document
    )
}
