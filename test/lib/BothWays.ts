import { Effect } from "effect"
import { type Answer, ask } from "./Requests.ts"
import type { TestServer } from "./TestServer.ts"

/** Name the same type; the second in a way that only the router takes. */
const TYPES = ["application/json", "application/json; charset=utf-8"]

/**
 * What differs from one answer to the next, whichever way it took: the length with the digits of an amount, the connection
 * with the refusals before on it.
 */
const OWN = new Set(["x-request-id", "x-ratelimit-remaining", "date", "content-length", "connection"])

const comparable = ({ headers, status, text }: Answer) => ({
  status,
  headers: [...headers].filter(([name]) => !OWN.has(name)).toSorted(),
  text: text.replaceAll(/(pur|trf)_[0-9a-z]+/g, "$1").replace(/"request_id":"[^"]+"/, "")
})

/** The answers to a body before the router and behind it, without what two answers never have in common. */
export const bothWays = (server: TestServer, path: string, userId: string, body: string) =>
  Effect.gen(function* () {
    const token = yield* server.token(userId)
    const [direct, routed] = yield* Effect.forEach(TYPES, (type) =>
      Effect.promise((signal) =>
        ask(server.url, path, {
          method: "POST",
          signal,
          headers: { authorization: `Bearer ${token}`, "content-type": type },
          body
        })
      )
    )
    return [direct, routed].map((answer) => (answer === undefined ? undefined : comparable(answer)))
  })
