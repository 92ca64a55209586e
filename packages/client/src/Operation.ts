import type { Operations } from "./Contract.ts"

/** An operation by its method and path, such as `GET /api/arena/orders/{order_id}`. */
export type Operation = keyof Operations

/** What an operation is asked with: the names in its path, its query, and its body, each where it has such. */
export type RequestOf<O extends Operation> = Operations[O]["request"]

/** What an operation answers. */
export type ResponseOf<O extends Operation> = Operations[O]["response"]

/** The codes of {@link ApiError} with which an operation may refuse. */
export type CodeOf<O extends Operation> = Operations[O]["code"]

/** Operations whose answer is a list, or has one beside what else it says. */
export type ListOperation = {
  [O in Operation]: O extends `GET ${string}` ? ([RowOf<O>] extends [never] ? never : O) : never
}[Operation]

type RowsIn<Body> =
  Body extends ReadonlyArray<infer Row>
    ? Row
    : { [K in keyof Body]: Body[K] extends ReadonlyArray<infer Row> ? Row : never }[keyof Body]

/** One row of a list. */
export type RowOf<O extends Operation> = RowsIn<ResponseOf<O>>

/** What the caller of an operation gave, without its types. */
export interface Asked {
  readonly path?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
}

/** The method and the address of an operation on a server. Throws where the path lacks a name. */
export const addressOf = (server: string, operation: string, { path = {}, query = {} }: Asked) => {
  const [method = "", template = ""] = operation.split(" ")
  const named = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const text = encodeURIComponent(String(path[name] ?? ""))
    // Nothing, `.` or `..` would make the address of something else.
    if (/^\.?\.?$/.test(text)) throw TypeError(`${operation}: no ${name}`)
    return text
  })
  const url = new URL(named, server)
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) url.searchParams.set(name, String(value))
  }
  return { method, url: url.href }
}

/** The rows in an answer, whatever name the list has in it. */
export const rowsIn = (body: unknown): ReadonlyArray<unknown> => {
  if (Array.isArray(body)) return body
  const lists = typeof body === "object" && body !== null ? Object.values(body).filter(Array.isArray) : []
  return lists[0] ?? []
}
