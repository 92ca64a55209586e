import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { itLive } from "../../lib/Effects.ts"
import { RawLane } from "../../lib/RawLane.ts"
import { send } from "../../lib/Requests.ts"
import { TestServer } from "../../lib/TestServer.ts"

describe("The format of a connection to /rpc", () => {
  itLive("is refused where there is none of the name, whatever else is offered", () =>
    Effect.gen(function* () {
      const { url } = yield* TestServer.make()
      const headers = { upgrade: "websocket", connection: "Upgrade", "sec-websocket-protocol": "emporion.rpc.v1.json" }
      for (const query of ["?format=xml", "?format=JSON", "?format=json&format=msgpack"]) {
        const { json, status } = yield* send(`${url}/rpc${query}`, { headers })
        expect(status).toBe(400)
        expect(json).toMatchObject({
          code: "invalid_request",
          message: 'query.format: Expected "json" or "msgpack"',
          errors: [{ field: "query.format" }]
        })
      }
      for (const query of ["?format=", "?other=1", "?format=msgpack"]) {
        const lane = yield* RawLane.open(url, { query })
        expect(yield* lane.call("balances")).toMatchObject({ _tag: "Refused", code: "unauthorized" })
      }
    })
  )
})
