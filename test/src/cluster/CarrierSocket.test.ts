import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { Users } from "../../../src/identity/users/Users.ts"
import { itLive } from "../../lib/Effects.ts"
import { openedOn } from "../../lib/OpenedArena.ts"
import { ask } from "../../lib/Requests.ts"
import { twoNodesWith } from "../../lib/TwoNodes.ts"

const COMMIT = "/api/arena/commitments"

/** Headers in which two answers to the same request differ. */
const OWN_HEADERS: ReadonlySet<string> = new Set(["date", "x-request-id", "emporion-position", "x-ratelimit-remaining"])

describe("Commitments through a node that does not write", () => {
  itLive("are answered as where somebody writes: taken, refused, repeated and counted", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { server, urls } = yield* twoNodesWith({ RATE_LIMITS: "on" })
        const { order, terms, trader } = yield* openedOn(server)
        const suspended = yield* server.user()
        const of = Effect.fnUntraced(function* (node: 0 | 1, body: unknown, as: string | undefined, key?: string) {
          const authorization = as === undefined ? {} : { authorization: `Bearer ${yield* server.token(as)}` }
          return yield* Effect.promise(() =>
            ask(urls[node], COMMIT, {
              method: "POST",
              headers: {
                "content-type": "application/json",
                ...authorization,
                ...(key === undefined ? {} : { "idempotency-key": key })
              },
              body: typeof body === "string" ? body : JSON.stringify(body)
            })
          )
        })
        for (const path of ["/cluster/hand-over", "/cluster/lag", "/x/../cluster/hand-over"]) {
          const [there, here] = yield* Effect.all(
            urls.map((url) => Effect.promise(() => ask(url, path, { method: "POST" })))
          )
          expect([path, there?.status, here?.status]).toEqual([path, 404, 404])
        }
        const token = yield* server.token(suspended.id)
        yield* server.run(Effect.flatMap(Users, (users) => users.setStatus(suspended.id, "suspended")))
        const shown = ({ headers, status, text }: Effect.Success<ReturnType<typeof of>>) => ({
          status,
          text: text.replace(/"request_id":"[^"]+"/, ""),
          headers: [...headers].filter(([name]) => !OWN_HEADERS.has(name))
        })
        const refused: ReadonlyArray<readonly [unknown, string | undefined, string?]> = [
          [{ ...terms, order_id: "ord_none" }, trader.id],
          [{ ...terms, quantity: 1e12 }, trader.id],
          [{ ...terms, quantity: -1 }, trader.id],
          [{ order_id: order.order_id }, trader.id],
          ["{", trader.id],
          ["[]", trader.id],
          [terms, undefined],
          [terms, trader.id, " "],
          [terms, trader.id, "k".repeat(256)]
        ]
        for (const [body, as, key] of refused) {
          const [there, here] = [yield* of(0, body, as, key), yield* of(1, body, as, key)]
          expect(there.status).toBeGreaterThanOrEqual(400)
          expect(shown(here)).toEqual(shown(there))
        }
        const taken = yield* of(1, terms, trader.id, "mine")
        expect(taken.status).toBe(200)
        const [there, here] = [yield* of(0, terms, trader.id, "mine"), yield* of(1, terms, trader.id, "mine")]
        expect([there.text, here.text]).toEqual([taken.text, taken.text])
        expect(shown(here)).toEqual(shown(there))
        expect(here.headers.get("idempotency-replayed")).toBe("true")
        expect(shown(yield* of(1, {}, trader.id, "mine"))).toEqual(shown(yield* of(0, {}, trader.id, "mine")))
        const own = yield* of(1, terms, trader.id)
        expect([own.status, own.headers.has("idempotency-replayed")]).toEqual([200, false])
        const left = (answer: typeof own) => Number(answer.headers.get("x-ratelimit-remaining"))
        expect(left(own) - left(yield* of(0, terms, trader.id))).toBe(1)
        const suspendedAsk = (node: 0 | 1) =>
          Effect.promise(() =>
            ask(urls[node], COMMIT, {
              method: "POST",
              headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
              body: JSON.stringify(terms)
            })
          )
        const [named] = yield* server.run(
          Effect.flatMap(
            SqlClient,
            (sql) => sql<{ readonly kept: number; readonly named: number }>`
              SELECT (SELECT count(*)::integer FROM idempotency_keys WHERE key LIKE '@%') AS kept,
                (SELECT count(*)::integer FROM journal WHERE body LIKE '%' || chr(9) || '@%') AS named`
          )
        )
        // The journal alone tells a repetition of what its caller gave no key.
        expect(named).toEqual({ kept: 0, named: 1 })
        const [blocked, blockedHere] = [yield* suspendedAsk(0), yield* suspendedAsk(1)]
        expect(blocked.status).toBe(403)
        expect(shown(blockedHere)).toEqual(shown(blocked))
      })
    )
  )
})
