import { describe, expect } from "bun:test"
import { Context, Effect, Layer } from "effect"
import { MachineTraderRegistrations } from "../../../src/arena/MachineTraderRegistrations.ts"
import { PATH, wallet } from "../../lib/BotOwner.ts"
import { withLayer } from "../../lib/Effects.ts"
import { TestServer } from "../../lib/TestServer.ts"

class Server extends Context.Service<Server, TestServer>()("test/Server") {}

const it = withLayer(Layer.effect(Server, TestServer.make()))

interface Registered {
  readonly code?: string
  readonly trader_id: string
  readonly status: string
}

describe("MachineTraderRegistrations", () => {
  it("registers machine traders for administrators alone, each agent once", () =>
    Effect.gen(function* () {
      const server = yield* Server
      const body = {
        agent_id: "agent-1",
        agent_uri: "https://agent.example/1",
        wallet_address: wallet(),
        capabilities: ["fx"],
        collateral_allocated: 10,
        specs: { model: "m", risk_tolerance: "low" }
      }
      const asked = (as: string) => server.post<Registered>(PATH, body, { as })
      expect((yield* asked((yield* server.user()).id)).json.code).toBe("access_denied")
      const { json } = yield* asked(yield* server.admin)
      expect(json.status).toBe("active")
      expect(json.trader_id).toStartWith("mtr_")
      expect((yield* asked(yield* server.admin)).json.code).toBe("conflict")
      const { commitments } = server.service(MachineTraderRegistrations)
      expect(yield* commitments(json.trader_id, undefined, { limit: 10, offset: 0 })).toEqual({
        commitments: [],
        total: 0,
        next: undefined
      })
    }))
})
