/** Takes out of requests what must not be kept: secrets, and whatever an operation does not know. */

import { SchemaAST } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import type { Entry } from "../http/EndpointTable.ts"
import { MAX_DEPTH } from "../http/JsonDepth.ts"

/** Stands where a value was. */
export const REMOVED = "[removed]"

/** Longest body that is kept, in UTF-16 code units, before and after. */
export const MAX_KEPT_BODY = 8_192

/** Longest query that is kept. */
export const MAX_KEPT_QUERY = 1_000

/** Names of fields that hold secrets, or the numbers of accounts, cards and documents, whatever a schema says of them. */
const SECRET_NAME =
  /pass|secret|token|auth|credential|key$|signature|assertion|cookie|session|ticket|verifier|^(code|state|nonce|otp|pin)$|cvc|cvv|card|iban|account_?number|identity|phone/i

/** Tokens, keys and the numbers of cards, and addresses with a password, wherever they stand. */
const SECRET_VALUE =
  /[\w+=-]{40,}|\b(?:eyJ|whsec_|sk_|rk_)[\w.+/=-]{8,}|\b(?:bearer|basic) |:\/\/[^/\s@]+@|(?:\d[ -]?){12,}/i

const PLAIN_NAME = /^[\w.-]{1,64}$/

/** The fields that an operation takes, by their names, at any depth. */
interface Fields {
  readonly known: Set<string>
  readonly secret: Set<string>
}

const isRedacted = (ast: SchemaAST.AST): boolean =>
  ast._tag === "Declaration" &&
  (ast.annotations?.["representation"] as { readonly id?: string } | undefined)?.id === "effect/schema/Redacted"

/** What a schema is made of: its parts, and what it is read from. */
const partsOf = (ast: SchemaAST.AST): ReadonlyArray<SchemaAST.AST> => {
  const sources = (ast.encoding ?? []).map(({ to }) => to)
  switch (ast._tag) {
    case "Objects":
      return [...sources, ...ast.indexSignatures.map(({ type }) => type)]
    case "Arrays":
      return [...sources, ...ast.elements, ...ast.rest]
    case "Union":
      return [...sources, ...ast.types]
    case "Suspend":
      return [...sources, ast.thunk()]
    default:
      return sources
  }
}

/** Whether a field's value, or an item of it, is a secret. */
const isSecret = (ast: SchemaAST.AST): boolean =>
  isRedacted(ast) || (ast._tag !== "Suspend" && ast._tag !== "Objects" && partsOf(ast).some(isSecret))

const collect = (ast: SchemaAST.AST, fields: Fields, seen: Set<SchemaAST.AST>): void => {
  if (seen.has(ast)) return
  seen.add(ast)
  for (const part of partsOf(ast)) collect(part, fields, seen)
  if (ast._tag !== "Objects") return
  for (const { name, type } of ast.propertySignatures) {
    fields.known.add(String(name))
    if (isSecret(type)) fields.secret.add(String(name))
    collect(type, fields, seen)
  }
}

const fieldsIn = (asts: ReadonlyArray<SchemaAST.AST>): Fields => {
  const fields: Fields = { known: new Set(), secret: new Set() }
  const seen = new Set<SchemaAST.AST>()
  for (const ast of asts) collect(ast, fields, seen)
  return fields
}

interface Taken {
  readonly body: Fields
  readonly query: Fields
}

const NOTHING: Taken = { body: fieldsIn([]), query: fieldsIn([]) }

const taken = new WeakMap<HttpApiEndpoint.Top, Taken>()

/** The fields of an operation, which are looked up once. */
const takenBy = (endpoint: HttpApiEndpoint.Top | undefined): Taken => {
  if (endpoint === undefined) return NOTHING
  const known = taken.get(endpoint)
  if (known !== undefined) return known
  const bodies = [...endpoint.payload.values()].flatMap(({ schemas }) => schemas.map(({ ast }) => ast))
  const found = { body: fieldsIn(bodies), query: fieldsIn(endpoint.query === undefined ? [] : [endpoint.query.ast]) }
  taken.set(endpoint, found)
  return found
}

const mayKeep = (name: string, { known, secret }: Fields): boolean =>
  known.has(name) && !secret.has(name) && !SECRET_NAME.test(name)

const nameOf = (name: string): string => (PLAIN_NAME.test(name) ? name : REMOVED)

/** A value whose own name may be kept, or may not. What nests too deep is removed. */
const cleaned = (value: unknown, isKept: boolean, fields: Fields, depth = 0): unknown => {
  if (depth > MAX_DEPTH) return REMOVED
  if (Array.isArray(value)) return value.map((item) => cleaned(item, isKept, fields, depth + 1))
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [
        nameOf(name),
        cleaned(inner, isKept && mayKeep(name, fields), fields, depth + 1)
      ])
    )
  }
  if (value === null) return null
  if (!isKept) return REMOVED
  return typeof value === "string" && SECRET_VALUE.test(value) ? REMOVED : value
}

/** A whole body: only fields have names that say whether a value may be kept. */
const cleanedBody = (value: unknown, isKept: boolean, fields: Fields): unknown =>
  Array.isArray(value)
    ? value.map((item) => cleaned(item, isKept && typeof item === "object" && !Array.isArray(item), fields))
    : cleaned(value, isKept, fields)

/** What was asked of, as far as the contract knows it. */
export type Asked = Pick<Entry, "answersSecret" | "endpoint"> | undefined

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * A body as JSON without secrets. It keeps what is in fields that the operation knows and that hold no secret, by the
 * schema or by name; of all others it keeps the names. Of an operation that answers secrets it keeps no value. Undefined
 * for a body that is no JSON object or list, and for a long one.
 */
export const withoutSecrets = (text: string, asked: Asked): string | undefined => {
  if (text.length > MAX_KEPT_BODY) return undefined
  const value = parsed(text)
  if (typeof value !== "object" || value === null) return undefined
  const kept = JSON.stringify(cleanedBody(value, asked?.answersSecret === false, takenBy(asked?.endpoint).body))
  return kept.length > MAX_KEPT_BODY ? undefined : kept
}

/** The same of a query, without its question mark; undefined where there is none. */
export const queryWithoutSecrets = (query: string, asked: Asked): string | undefined => {
  if (query === "") return undefined
  const fields = takenBy(asked?.endpoint).query
  const pairs = Array.from(new URLSearchParams(query), ([name, value]) => {
    const isKept = mayKeep(name, fields) && !SECRET_VALUE.test(value)
    return `${nameOf(name)}=${isKept ? encodeURIComponent(value) : REMOVED}`
  })
  return pairs.join("&").slice(0, MAX_KEPT_QUERY)
}

/** A text of a URL as it was meant, or as it is where it is no such text. */
const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** A path, in which what looks like a secret is replaced. One whose parts together look like one is not kept. */
export const pathWithoutSecrets = (path: string): string => {
  if (!SECRET_VALUE.test(decoded(path))) return path
  const kept = path
    .split("/")
    .map((part) => (SECRET_VALUE.test(decoded(part)) ? REMOVED : part))
    .join("/")
  return SECRET_VALUE.test(decoded(kept)) ? REMOVED : kept
}
