import { Context, Effect } from "effect"
import { HttpRouter } from "effect/http"
import { HttpConventions } from "../../src/http/HttpConventions.ts"
import type { Inner } from "../../src/http/ResponseWays.ts"
import type { RouterEffect } from "../../src/http/RouterPath.ts"
import { addressOf } from "./OperationRequest.ts"
import type { Sent } from "./OperationRows.ts"
import type { DeclaredOperation } from "./Operations.ts"
import type { TestServer } from "./TestServer.ts"

/** A request of an operation, however odd. */
export interface Variant {
  readonly sent: Sent
  readonly headers?: Readonly<Record<string, string>>
  /** What is sent as its body, whatever {@link sent} says. */
  readonly text?: string
}

/** What differs from one response to the next: the length with the digits of an id or an amount. */
const OWN = new Set(["x-request-id", "date", "content-length"])

/** An id, a token, a secret or a hash, which no two servers have in common. */
const UNIQUE = /(?=[\w.~+/=-]*\d)[\w.~+/=-]{14,}|[\w.~+/=-]{24,}/g

/** How long a logged request took. */
const DURATION = /(?<="duration_ms":)[\d.]+/g

/** How long its phases took, as far as they are known yet. */
const PHASES = /(?<="phases":)(?:null|\{[^}]*\})/g

/** What runs by itself records events too, on one server before the other. */
const SEQUENCES = /(?<="(?:event_seqs":\[|sequence":))\d+(,\d+)*(?=[\],}])/g

const masked = (text: string): string =>
  text.replaceAll(UNIQUE, "~").replaceAll(DURATION, "0").replaceAll(PHASES, "0").replaceAll(SEQUENCES, "0")

/** Rows of one moment stand in the order of their ids, which is another on every server. */
const inOrder = (value: unknown): unknown => {
  if (Array.isArray(value))
    return value.map(inOrder).toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1))
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, inOrder(inner)]))
}

const said = (text: string): string => {
  try {
    return JSON.stringify(inOrder(JSON.parse(masked(text))))
  } catch {
    return masked(text)
  }
}

/** What a response says, without what two never have in common. */
const comparable = (response: Response) =>
  Effect.map(
    Effect.promise(() => response.text()),
    (text) => ({
      status: response.status,
      headers: [...response.headers]
        .filter(([name]) => !OWN.has(name))
        .map(([name, value]) => [name, masked(value)])
        .toSorted(),
      text: said(text)
    })
  )

const bodyOf = ({ sent: { body, form }, text }: Variant): string | undefined => {
  if (text !== undefined) return text
  if (body === undefined) return undefined
  return form === true ? new URLSearchParams(body as Record<string, string>).toString() : JSON.stringify(body)
}

const requestOf = ({ method, path }: DeclaredOperation, variant: Variant): Request => {
  const body = bodyOf(variant)
  const headers = new Headers({ host: "localhost" })
  if (body !== undefined) {
    const type = variant.sent.form === true ? "application/x-www-form-urlencoded" : "application/json"
    headers.set("content-type", type)
    headers.set("content-length", String(new TextEncoder().encode(body).byteLength))
  }
  for (const [name, value] of Object.entries(variant.headers ?? {})) {
    if (value === "") headers.delete(name)
    else headers.set(name, value)
  }
  // As bytes it is given no content type of its own.
  const sent = body === undefined ? {} : { body: new TextEncoder().encode(body) }
  return new Request(`http://localhost${addressOf(path, variant.sent)}`, { method, headers, ...sent })
}

/** The conventions of a server round the shortest way to each response, or round the router. */
export const waysOf = (server: TestServer) =>
  server.run(
    Effect.gen(function* () {
      const context = yield* Effect.context<never>()
      // Both are there, and no service of the application needs them.
      const served = context as Context.Context<HttpRouter.HttpRouter | HttpConventions>
      const router = Context.get(served, HttpRouter.HttpRouter) as unknown as {
        readonly asHttpEffect: () => RouterEffect
      }
      const conventions = Context.get(served, HttpConventions).over(router.asHttpEffect(), context)
      const { ways } = conventions
      /** Operations that were answered without the router. */
      const short = new Set<string>()
      const asked = (operation: DeclaredOperation, variant: Variant, inner: Inner) =>
        Effect.flatMap(
          Effect.promise(async () => {
            const response = await conventions.conventions(requestOf(operation, variant), "127.0.0.1", inner)
            if (response === undefined) throw new Error("It was upgraded")
            return response
          }),
          comparable
        )
      return {
        short,
        shortest: (operation: DeclaredOperation, variant: Variant) =>
          asked(operation, variant, (exchange) => {
            const found = ways.kept(exchange) ?? ways.fast(exchange)
            if (found !== undefined) short.add(operation.name)
            return found ?? ways.routed(exchange)
          }),
        routed: (operation: DeclaredOperation, variant: Variant) => asked(operation, variant, ways.routed)
      }
    })
  )
