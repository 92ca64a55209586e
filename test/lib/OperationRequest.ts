import { Effect } from "effect"
import { type Answer, ask } from "./Requests.ts"
import type { Sent } from "./OperationRows.ts"
import type { DeclaredOperation } from "./Operations.ts"
import type { Fixture } from "./OperationFixture.ts"

/** The address of an operation with what is sent in it. */
export const addressOf = (path: string, { params = {}, query }: Sent): string => {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""))
  return query === undefined ? filled : `${filled}?${new URLSearchParams(query).toString()}`
}

const bodyOf = ({ body, form }: Sent): RequestInit => {
  if (body === undefined) return {}
  if (form !== true) return { body: JSON.stringify(body), headers: { "content-type": "application/json" } }
  return { body: new URLSearchParams(body as Record<string, string>) }
}

/** Sends an operation's request with a token and further headers, and reads the answer. */
export const sendOperation = (
  { server }: Fixture,
  { method, path }: DeclaredOperation,
  sent: Sent,
  token?: string,
  more: Readonly<Record<string, string>> = {}
): Effect.Effect<Answer<{ readonly code?: string }>> =>
  Effect.promise((signal) => {
    const init = bodyOf(sent)
    const headers = new Headers(init.headers)
    if (token !== undefined) headers.set("authorization", `Bearer ${token}`)
    for (const [name, value] of Object.entries(more)) headers.set(name, value)
    const request = ask(server.url, addressOf(path, sent), { ...init, method, headers, signal })
    return request as Promise<Answer<{ readonly code?: string }>>
  })
