import { describe, expect } from "bun:test"
import { Context, Effect, Layer } from "effect"
import type { Scope } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import fc from "fast-check"
import { CommitmentHalts } from "../../../src/arena/CommitmentHalts.ts"
import { BotReconciler } from "../../../src/bots/BotReconciler.ts"
import { ask, made, owner, PATH } from "../../lib/BotOwner.ts"
import { withLayer } from "../../lib/Effects.ts"
import { tokenOf } from "../../lib/OperationFixture.ts"
import { openedArena, usd } from "../../lib/OpenedArena.ts"
import { property } from "../../lib/Property.ts"
import { RawLane } from "../../lib/RawLane.ts"

type Opened = Effect.Success<ReturnType<typeof openedArena>>

class Fixture extends Context.Service<Fixture, Opened>()("test/CommitmentHalts/Fixture") {}

const it = withLayer(Layer.effect(Fixture, openedArena({ ARENA_COMMIT_WINDOW_SECONDS: "80000" })))

const SWITCH = `${PATH}/kill-switch`
const COMMIT = "/api/arena/commitments"

interface Told {
  readonly code?: string
  readonly halted?: boolean
  readonly cause?: string | null
  readonly halted_at?: string | null
  readonly halts_at?: string | null
  readonly cancel_on_disconnect?: boolean
  readonly paused?: ReadonlyArray<string>
  readonly results?: ReadonlyArray<{ readonly _tag: string; readonly code?: string }>
}

/** Somebody with money, and how to ask for things as it. */
const somebody = Effect.gen(function* () {
  const { server, terms } = yield* Fixture
  const user = yield* server.user()
  yield* server.mint(user.id, usd(100_000n))
  const as = { as: user.id }
  const small = { ...terms, quantity: 1 }
  return {
    server,
    user,
    small,
    commit: () => server.post<Told>(COMMIT, small, as),
    pull: () => server.post<Told>(`${PATH}/pause-all`, { scope: "company" }, as),
    lift: () => server.request<Told>("DELETE", SWITCH, undefined, as),
    look: Effect.map(server.get<Told>(SWITCH, user.id), ({ json }) => json),
    after: (seconds: number) =>
      server.post<Told>(`${PATH}/cancel-after`, { scope: "company", timeout_seconds: seconds }, as),
    lane: Effect.flatMap(server.token(user.id), (token) =>
      RawLane.open(server.url, { headers: { authorization: `Bearer ${token}` } })
    )
  }
})

/** What was recorded of a company's commitments and of their halts, in the journal's order. */
const recordedOf = (companyId: string) =>
  Effect.gen(function* () {
    const { server } = yield* Fixture
    return yield* server.run(
      Effect.flatMap(
        SqlClient,
        (sql) => sql<{ readonly what: string }>`
          SELECT coalesce(data::jsonb->>'act', 'commit') AS what FROM events
          WHERE (stream = ${`commitment-halt/${companyId}`})
            OR (type = 'CommitmentSubmitted' AND data::jsonb->'commitment'->'trader'->>'owner' = ${companyId})
          ORDER BY seq`
      )
    )
  })

/** How many commitments stand between a halt and its lift. */
const between = (recorded: ReadonlyArray<{ readonly what: string }>): number => {
  let isHalted = false
  let count = 0
  for (const { what } of recorded) {
    if (what === "halt") isHalted = true
    if (what === "resume") isHalted = false
    if (what === "commit" && isHalted) count += 1
  }
  return count
}

describe("A company's kill switch", () => {
  it("refuses what people, bots and clients commit, over REST and /rpc, until it is lifted", () =>
    Effect.gen(function* () {
      const { commit, lane, lift, look, pull, server, small, user } = yield* somebody
      const other = yield* somebody
      expect((yield* commit()).status).toBe(200)
      const pulled = yield* pull()
      expect([pulled.status, pulled.json.paused]).toEqual([200, []])
      const refused = yield* commit()
      expect([refused.status, refused.json.code]).toEqual([409, "commitments_halted"])
      expect(refused.text).toContain("DELETE /api/arena/machine-traders/kill-switch")
      const socket = yield* lane
      expect(yield* socket.call("commit", small)).toMatchObject({ _tag: "Refused", code: "commitments_halted" })
      const { results } = (yield* socket.call("commitBatch", { items: [small, small] })) as Told
      expect(results?.map(({ code }) => code)).toEqual(["commitments_halted", "commitments_halted"])
      expect(yield* look).toMatchObject({ halted: true, halted_by: user.id, cause: "asked" })
      expect((yield* other.commit()).status).toBe(200)
      yield* server.restart()
      expect((yield* commit()).json.code).toBe("commitments_halted")
      const lifted = yield* lift()
      expect([lifted.status, lifted.json.halted]).toEqual([200, false])
      expect((yield* lift()).status).toBe(200)
      expect((yield* commit()).status).toBe(200)
    }))

  it("is pulled by any token of the company, and lifted by payments:write alone", () =>
    Effect.gen(function* () {
      const { server, user } = yield* somebody
      const reading = yield* tokenOf({ server }, user.id, [])
      const headers = { authorization: `Bearer ${reading}` }
      expect((yield* server.post(`${PATH}/pause-all`, { scope: "company" }, { headers })).status).toBe(200)
      const refused = yield* server.request<Told>("DELETE", SWITCH, undefined, { headers })
      expect([refused.status, refused.json.code]).toEqual([403, "insufficient_scope"])
      expect((yield* server.post<Told>(`${PATH}/pause-all`, { scope: "everyone" }, { headers })).status).toBe(400)
    }))

  it("is pulled once its deadline has come and nobody asked again, also across a restart", () =>
    Effect.gen(function* () {
      const { after, commit, lift, look, server } = yield* somebody
      const round = server.run(Effect.flatMap(CommitmentHalts, ({ deadlines }) => deadlines))
      yield* after(30)
      server.world.pass(20_000)
      yield* after(30)
      server.world.pass(20_000)
      yield* round
      expect((yield* commit()).status).toBe(200)
      yield* server.restart()
      server.world.pass(10_000)
      yield* round
      expect((yield* commit()).json.code).toBe("commitments_halted")
      const pulled = yield* look
      expect(pulled).toMatchObject({ halted: true, halted_by: null, cause: "deadline", halts_at: null })
      expect((yield* after(30)).json.halted_at).toBe(pulled.halted_at)
      yield* lift()
      expect(Object.keys((yield* after(30)).json)).not.toContain("halted_at")
      yield* after(0)
      server.world.pass(60_000)
      yield* round
      expect((yield* commit()).status).toBe(200)
    }))

  it("is pulled by the end of a connection that says so, and of none that took it back", () =>
    Effect.gen(function* () {
      const { commit, lane, lift, look } = yield* somebody
      const [first, second] = [yield* lane, yield* lane]
      expect(yield* first.call("cancelOnDisconnect", { enabled: true })).toMatchObject({ cancel_on_disconnect: true })
      yield* first.call("cancelOnDisconnect", { enabled: true })
      yield* second.call("cancelOnDisconnect", { enabled: true })
      expect(yield* second.call("cancelOnDisconnect", { enabled: false })).toMatchObject({ cancel_on_disconnect: true })
      second.socket.close()
      yield* second.closed
      expect((yield* commit()).status).toBe(200)
      first.socket.close()
      yield* Effect.repeat(look, { until: ({ halted }) => halted === true })
      expect((yield* commit()).json.code).toBe("commitments_halted")
      expect(yield* look).toMatchObject({ cause: "disconnected" })
      yield* lift()
      expect((yield* commit()).status).toBe(200)
    }))

  it("is pulled by a start that follows on a process with such connections", () =>
    Effect.gen(function* () {
      const { commit, look, server, user } = yield* somebody
      const actor = { companyId: user.companyId, userId: user.id }
      yield* server.run(Effect.flatMap(CommitmentHalts, ({ arm }) => arm(actor)))
      expect((yield* commit()).status).toBe(200)
      yield* server.restart()
      expect((yield* commit()).json.code).toBe("commitments_halted")
      expect(yield* look).toMatchObject({ cause: "restarted", cancel_on_disconnect: false })
    }))

  it("pauses the company's bots", () =>
    Effect.gen(function* () {
      const { server } = yield* Fixture
      const user = yield* owner(server)
      const bot = yield* made(server, user)
      yield* ask(server, user, bot, "start")
      const actor = { companyId: user.companyId, userId: user.id }
      yield* server.run(Effect.flatMap(CommitmentHalts, ({ halt }) => halt(actor, "disconnected")))
      yield* server.run(Effect.flatMap(BotReconciler, ({ round }) => round))
      const { json } = yield* server.get<{ readonly bot: { readonly status: string } }>(`${PATH}/${bot}`, user.id)
      expect(json.bot.status).toBe("paused")
    }))

  it("has no commitment after it in the journal, whatever happens at once", () =>
    Effect.gen(function* () {
      const acting = yield* somebody
      const { commit, lane, lift, pull, server, small, user } = acting
      const actor = { companyId: user.companyId, userId: user.id }
      const socket = yield* lane
      const halt = server.run(Effect.flatMap(CommitmentHalts, (halts) => halts.halt(actor, "disconnected")))
      const acts = {
        commit: Effect.asVoid(Effect.suspend(commit)),
        batch: Effect.asVoid(Effect.suspend(() => socket.call("commitBatch", { items: [small, small, small] }))),
        pull: Effect.asVoid(Effect.suspend(pull)),
        halt: Effect.asVoid(halt),
        lift: Effect.asVoid(Effect.suspend(lift))
      }
      // Each once for sure: what is drawn may never lift what it pulled.
      for (const name of ["commit", "pull", "lift"] as const) yield* acts[name]
      const run = Effect.runPromiseWith(yield* Effect.context<Fixture | Scope.Scope>())
      const act = fc.constantFrom(...(Object.keys(acts) as ReadonlyArray<keyof typeof acts>))
      yield* Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(fc.array(fc.array(act, { minLength: 1, maxLength: 6 }), { maxLength: 4 }), async (waves) => {
            for (const wave of waves) {
              await run(
                Effect.all(
                  wave.map((name) => acts[name]),
                  { concurrency: "unbounded", discard: true }
                )
              )
            }
          }),
          property(10)
        )
      )
      const recorded = yield* recordedOf(user.companyId)
      expect(between(recorded)).toBe(0)
      for (const what of ["commit", "halt", "resume"]) expect(recorded.map((row) => row.what)).toContain(what)
    }))
})
