import { describe, expect } from "bun:test"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { MachineTraders } from "../../../src/arena/MachineTraders.ts"
import { machineTraderOwners } from "../../../src/database/migrations/0038_machine_trader_owners.ts"
import { Users } from "../../../src/identity/users/Users.ts"
import { itLive } from "../../lib/Effects.ts"
import { fieldsOf, openedArena, refusal, registration } from "../../lib/OpenedArena.ts"
import { NO_FINDINGS, replayFindings } from "../../lib/RecordedState.ts"

const PATH = "/api/arena/machine-traders"

describe("POST /api/arena/machine-traders", () => {
  itLive("registers a machine trader for an administrator", () =>
    Effect.gen(function* () {
      const { server } = yield* openedArena()
      const as = yield* server.admin
      const { json } = yield* server.post<{ readonly trader_id: string }>(PATH, registration(), { as })
      expect(json as unknown).toEqual({
        success: true,
        message: expect.any(String),
        trader_id: expect.stringMatching(/^mtr_[0-9a-z]{24}$/),
        status: "active"
      })
      expect(refusal(yield* server.post(PATH, registration(), { as }))).toEqual([409, "conflict", "at once"])
    })
  )

  itLive("refuses anybody else, and what it cannot take", () =>
    Effect.gen(function* () {
      const { server, trader } = yield* openedArena()
      const as = yield* server.admin
      expect(refusal(yield* server.post(PATH, registration(), { as: trader.id }))).toEqual([
        403,
        "access_denied",
        "at once"
      ])
      const tried = (change: object) => Effect.map(server.post(PATH, registration(change), { as }), refusal)
      expect(yield* tried({ agent_id: `bot_${"0".repeat(24)}` })).toEqual([422, "unprocessable", "at once"])
      expect(yield* tried({ collateral_allocated: 0 })).toEqual([422, "unprocessable", "at once"])
      expect(yield* tried({ wallet_address: "0xAbababababababababababababababababababab" })).toEqual([
        422,
        "unprocessable",
        "at once"
      ])
      for (const wrong of [
        { capabilities: [] },
        { capabilities: ["stocks"] },
        { agent_uri: "nowhere" },
        { agent_id: "" },
        { specs: {} },
        { wallet_address: "0x1" }
      ]) {
        expect(yield* tried(wrong)).toEqual([400, "invalid_request", "at once"])
      }
    })
  )
})

describe("POST /api/arena/machine-traders/{trader_id}/retire", () => {
  itLive("has one commit no more, and what it committed to decided", () =>
    Effect.gen(function* () {
      const { commit, server, trader } = yield* openedArena()
      const as = yield* server.admin
      const { json } = yield* server.post<{ readonly trader_id: string }>(PATH, registration(), { as })
      const id = json.trader_id
      const retire = (of: string, by = as) => server.post<object>(`${PATH}/${of}/retire`, {}, { as: by })
      expect((yield* commit({ bot_id: id })).status).toBe(200)
      const retired = { success: true, message: "Machine trader retired", trader_id: id, status: "terminated" }
      expect((yield* retire(id)).json).toEqual(retired)
      expect(refusal(yield* commit({ bot_id: id }))).toEqual([403, "ARENA_006", "at once"])
      expect((yield* retire(id)).json).toEqual(retired)
      expect(refusal(yield* retire(id, trader.id))).toEqual([403, "access_denied", "at once"])
      expect(refusal(yield* retire("mtr_none"))).toEqual([404, "not_found", "at once"])
      expect(refusal(yield* retire("x".repeat(200)))).toEqual([400, "invalid_request", "at once"])
      expect(refusal(yield* server.post(PATH, registration(), { as }))).toEqual([409, "conflict", "at once"])

      yield* server.tick(90_000)
      yield* server.tick(60_000)
      const { json: found } = yield* server.get<{ readonly stats: { readonly traders: ReadonlyArray<unknown> } }>(
        `${PATH}/stats?trader_id=${id}`,
        trader.id
      )
      expect(found.stats).toMatchObject({
        total_traders: 1,
        active_traders: 0,
        traders: [{ status: "terminated", commitments_won: 1 }]
      })
      const capable = server.service(MachineTraders)
      const now = yield* Clock.currentTimeMillis
      expect(yield* server.run(capable.capableCount("fx"))).toBe(0)
      expect((yield* server.run(capable.activeOwners("fx", 0, now + 1_000_000))).size).toBe(1)
      expect((yield* server.run(capable.activeOwners("fx", now + 1_000_000, now + 2_000_000))).size).toBe(0)
      expect(yield* replayFindings(server)).toEqual(NO_FINDINGS)
    })
  )

  itLive("holds for what is decided at the same moment, as the journal has it", () =>
    Effect.gen(function* () {
      const { commit, server } = yield* openedArena()
      const as = yield* server.admin
      const { json } = yield* server.post<{ readonly trader_id: string }>(
        PATH,
        registration({ collateral_allocated: 1_000_000 }),
        { as }
      )
      const [answers] = yield* Effect.all(
        [
          Effect.forEach(Array.from({ length: 12 }), () => commit({ bot_id: json.trader_id }), { concurrency: 12 }),
          server.post(`${PATH}/${json.trader_id}/retire`, {}, { as })
        ],
        { concurrency: 2 }
      )
      const recorded = yield* server.run(
        Effect.flatMap(
          SqlClient,
          (sql) => sql<{ type: string }>`SELECT type FROM events
            WHERE type IN ('CommitmentSubmitted', 'MachineTraderRetired') ORDER BY seq`
        )
      )
      const accepted = answers.filter(({ status }) => status === 200)
      expect(recorded.map(({ type }) => type)).toEqual([
        ...accepted.map(() => "CommitmentSubmitted"),
        "MachineTraderRetired"
      ])
      for (const answer of answers) {
        if (answer.status !== 200) expect(refusal(answer)).toEqual([403, "ARENA_006", "at once"])
      }
      expect(yield* replayFindings(server)).toEqual(NO_FINDINGS)
    })
  )
})

describe("the register of machine traders", () => {
  itLive("is what the events make, also where a wallet was linked, and what was there before they were recorded", () =>
    Effect.gen(function* () {
      const { server, trader } = yield* openedArena()
      const as = yield* server.admin
      const walletAddress = `0x${"5".repeat(40)}`
      const registered = (change: object) =>
        Effect.map(
          server.post<{ readonly trader_id: string }>(PATH, registration(change), { as }),
          ({ json }) => json.trader_id
        )
      const id = yield* registered({ agent_id: "linked", wallet_address: walletAddress })
      const other = yield* registered({ agent_id: "other" })
      const owned = () => server.run(server.service(MachineTraders).find(id))
      const before = yield* owned()
      yield* server.run(server.service(Users).update(trader.id, { walletAddress }))
      expect(yield* owned()).toMatchObject({ owner: trader.companyId, userId: trader.id })
      expect(before?.owner).not.toBe(trader.companyId)
      expect(yield* replayFindings(server)).toEqual(NO_FINDINGS)

      const recorded = () =>
        server.run(
          Effect.flatMap(
            SqlClient,
            (sql) => sql<{ data: string }>`
            SELECT data FROM events WHERE type = 'MachineTraderRegistered' ORDER BY seq`
          )
        )
      const run = (statements: ReadonlyArray<string>) =>
        server.run(Effect.flatMap(SqlClient, (sql) => Effect.forEach(statements, (statement) => sql.unsafe(statement))))
      const { down, up } = machineTraderOwners
      yield* run(down as ReadonlyArray<string>)
      yield* run(up)
      expect(yield* owned()).toMatchObject({ owner: trader.companyId, userId: trader.id })
      expect(yield* replayFindings(server)).toEqual(NO_FINDINGS)

      yield* run([
        `INSERT INTO machine_traders (id, agent_id, agent_uri, owner, user_id, wallet_address, capabilities,
           collateral_allocated, model, risk_tolerance, status, active_from)
         SELECT 'mtr_${"z".repeat(24)}', 'bot_earlier', agent_uri, owner, user_id, wallet_address, capabilities,
           collateral_allocated, model, risk_tolerance, status, active_from FROM machine_traders WHERE id = '${other}'`
      ])
      expect((yield* replayFindings(server)).differences).toHaveLength(1)
      yield* server.restart()
      yield* server.restart()
      expect(yield* recorded()).toHaveLength(3)
      expect(yield* replayFindings(server)).toEqual(NO_FINDINGS)
    })
  )
})

describe("GET /api/arena/machine-traders/stats", () => {
  itLive("tells what machine traders did", () =>
    Effect.gen(function* () {
      const { commit, server, trader } = yield* openedArena()
      const as = yield* server.admin
      const { json } = yield* server.post<{ readonly trader_id: string }>(PATH, registration(), { as })
      yield* commit({ bot_id: json.trader_id })
      yield* server.tick(90_000)
      yield* server.tick(60_000)
      const all = yield* server.get<{ readonly stats: { readonly traders: ReadonlyArray<unknown> } }>(
        `${PATH}/stats`,
        trader.id
      )
      expect(all.json as unknown).toEqual({
        success: true,
        stats: {
          total_traders: 1,
          active_traders: 1,
          total_commitments: 1,
          win_rate: 1,
          avg_profit_per_trade: 5.3059,
          traders: [
            {
              trader_id: json.trader_id,
              agent_id: "agent-1",
              status: "active",
              total_commitments: 1,
              commitments_won: 1,
              win_rate: 1,
              total_profit: 5.3059
            }
          ]
        }
      })
      const one = yield* server.get(`${PATH}/stats?trader_id=${json.trader_id}`, trader.id)
      expect(one.json).toEqual(all.json)
      expect(refusal(yield* server.get(`${PATH}/stats?trader_id=mtr_none`, trader.id))).toEqual([
        404,
        "not_found",
        "at once"
      ])
    })
  )

  itLive("has every field before the first registration", () =>
    Effect.gen(function* () {
      const { server, trader } = yield* openedArena()
      const { json } = yield* server.get<{ readonly stats: object }>(`${PATH}/stats`, trader.id)
      expect(fieldsOf(json)).toEqual(["stats", "success"])
      expect(json.stats as unknown).toEqual({
        total_traders: 0,
        active_traders: 0,
        total_commitments: 0,
        win_rate: 0,
        avg_profit_per_trade: 0,
        traders: []
      })
    })
  )
})
