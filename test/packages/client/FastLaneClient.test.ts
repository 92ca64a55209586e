import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { ApiError, NoAnswer } from "../../../packages/client/src/ApiError.ts"
import { FastLaneClient, type FastLaneOptions } from "../../../packages/client/src/FastLaneClient.ts"
import { bundled } from "../../lib/ClientPackage.ts"
import { itLive } from "../../lib/Effects.ts"
import { openedArena } from "../../lib/OpenedArena.ts"
import { requireRuntime, RUNTIMES } from "../../lib/Runtimes.ts"
import { eventually } from "../../lib/ServerProcess.ts"
import { temporaryFolder } from "../../lib/TemporaryFolder.ts"

const LIMIT = 20_000

/** A program for any runtime or page: it commits, reads the order and its own commitments, and says what it saw. */
const program = (url: string, token: string, terms: object): string => `
import { ApiError, FastLaneClient } from "emporion-client/fast-lane"
const terms = ${JSON.stringify(terms)}
const lane = new FastLaneClient({ url: "${url}", token: () => Promise.resolve("${token}") })
const made = await lane.commit(terms)
const results = await lane.commitBatch([terms, { ...terms, order_id: "nothing" }])
let seen
for await (const order of lane.orders({ order_id: [terms.order_id] })) {
  seen = order.status
  break
}
const { commitments } = await lane.myCommitments({ limit: 1 })
const refusal = await lane.commit({ ...terms, quantity: -1 }).catch((error) => [error instanceof ApiError, error.code])
await lane.close()
console.log(JSON.stringify([made.status, results.map((each) => each.code ?? each.status), seen, commitments.length, refusal]))
`

const SAID = ["active", ["active", "ARENA_001"], "competing", 1, [true, "invalid_request"]]

const said = (command: ReadonlyArray<string>): Promise<unknown> => {
  const child = Bun.spawn([...command], { stdin: "ignore", stdout: "pipe", stderr: "inherit" })
  return new Response(child.stdout).text().then((text) => JSON.parse(text))
}

/** Sockets that a test can cut, and count. */
const cuttable = () => {
  const sockets: Array<Bun.WebSocket> = []
  const platform: FastLaneOptions["platform"] = {
    WebSocket: class extends WebSocket {
      constructor(url: string, protocols: Array<string>) {
        super(url, protocols)
        sockets.push(this as unknown as Bun.WebSocket)
      }
    }
  }
  return { sockets, platform, cut: () => sockets.at(-1)!.terminate() }
}

const lane = (options: FastLaneOptions) =>
  Effect.acquireRelease(
    Effect.sync(() => new FastLaneClient(options)),
    (client) => Effect.promise(() => client.close())
  )

const failureOf = (call: Promise<unknown>) =>
  Effect.promise(() =>
    call.then(
      () => expect.unreachable(),
      (error: unknown) => error
    )
  )

describe("FastLaneClient", () => {
  itLive(
    "commits and reads streams, bundled once for Bun, Deno and Node",
    () =>
      Effect.gen(function* () {
        const { server, terms, trader } = yield* openedArena()
        const token = yield* server.token(trader.id)
        const file = join(yield* temporaryFolder, "program.mjs")
        writeFileSync(file, yield* bundled(program(server.url, token, { ...terms, quantity: 1 })))
        for (const runtime of RUNTIMES) requireRuntime(runtime)
        const commands = [
          [process.execPath, file],
          ...RUNTIMES.map(({ command, name }) => [...command, ...(name === "Deno" ? ["--allow-net"] : []), file])
        ]
        const outputs = yield* Effect.promise(() => Promise.all(commands.map(said)))
        for (const output of outputs) expect(output).toEqual(SAID)
      }),
    60_000
  )

  itLive("sends a commitment with an id again after the connection was lost, and makes it once", () =>
    Effect.gen(function* () {
      const { server, terms, trader } = yield* openedArena()
      const token = yield* server.token(trader.id)
      let opened = 0
      // The first connection is lost once the server has answered, and before the client hears of it.
      const platform: FastLaneOptions["platform"] = {
        WebSocket: class extends WebSocket {
          constructor(url: string, protocols: Array<string>) {
            super(url, protocols)
            opened += 1
            if (opened > 1) return
            const { addEventListener } = this
            Object.assign(this, {
              addEventListener: (type: string, listener: (event: Event) => void) =>
                addEventListener.call(this, type, type === "message" ? () => this.close() : listener)
            })
          }
        }
      }
      const client = yield* lane({ url: server.url, token, platform })
      const made = yield* Effect.promise(() => client.commit({ ...terms, quantity: 1, idempotency_id: "once" }))
      expect(opened).toBe(2)
      const { commitments } = yield* Effect.promise(() => client.myCommitments())
      expect(commitments.map(({ commitment_id: id }) => id)).toEqual([made.commitment_id])
    })
  )

  itLive("does not send again what might be done twice", () =>
    Effect.gen(function* () {
      const { server, terms, trader } = yield* openedArena()
      const { cut, platform } = cuttable()
      const client = yield* lane({ url: server.url, token: yield* server.token(trader.id), platform })
      yield* eventually("a connection", LIMIT, () => (client.status === "live" ? true : undefined))
      const call = client.commit({ ...terms, quantity: 1 })
      cut()
      expect(yield* failureOf(call)).toMatchObject({ name: "NoAnswer", code: "unreachable" })
      expect(yield* Effect.promise(() => client.balances())).toMatchObject({ funds: expect.any(Array) })
    })
  )

  itLive("tells a token that is refused from a server that cannot be reached, and tries the next one", () =>
    Effect.gen(function* () {
      const { server, trader } = yield* openedArena()
      const tokens = ["wrong", yield* server.token(trader.id)]
      let asked = 0
      const client = yield* lane({ url: server.url, token: () => tokens[Math.min(1, Math.floor((asked += 1) / 3))]! })
      const refused = yield* failureOf(client.balances())
      expect(refused).toBeInstanceOf(ApiError)
      expect(refused).toMatchObject({ code: "unauthorized", status: 401 })
      expect(client.status).toBe("refused")
      expect(yield* Effect.promise(() => client.balances())).toMatchObject({ funds: expect.any(Array) })
      const impossible = yield* lane({ url: server.url, token: "two words" })
      expect(yield* failureOf(impossible.balances())).toMatchObject({ code: "unauthorized" })
      const nobody = yield* lane({ url: "http://127.0.0.1:1", token: "any" })
      expect(yield* failureOf(nobody.balances({}, { timeout: 300 }))).toBeInstanceOf(NoAnswer)
    })
  )

  itLive("tells of every event and order once, through lost connections, and ends loops by close", () =>
    Effect.gen(function* () {
      const { server, commit, order, trader } = yield* openedArena()
      const { cut, platform, sockets } = cuttable()
      const client = yield* lane({ url: server.url, token: yield* server.token(trader.id), platform })
      const heard: Array<string> = []
      const seqs: Array<number> = []
      const statuses: Array<string> = []
      let hasBegun = false
      const events = async () => {
        for await (const item of client.subscribe({ channels: ["commitments"], snapshot: true })) {
          hasBegun = true
          if (item.kind !== "event") continue
          seqs.push(item.position.seq)
          for (const { data, type } of item.frames) if (type === "commitment_submitted") heard.push(data.commitment_id)
        }
      }
      const orders = async () => {
        for await (const { order_id: id, status } of client.orders()) if (id === order.order_id) statuses.push(status)
      }
      const loops = Promise.all([events(), orders()])
      // What is committed before the snapshot is in it, and no event.
      yield* eventually("the beginning", LIMIT, () => (hasBegun ? statuses[0] : undefined))
      const made: Array<string> = []
      for (let count = 0; count < 12; count++) {
        const { json } = yield* commit({ quantity: 1 })
        made.push(json.data.commitment_id)
        if (count % 3 !== 1) continue
        const connections = sockets.length
        cut()
        yield* eventually("the next connection", LIMIT, () =>
          sockets.length > connections && client.status === "live" ? true : undefined
        )
      }
      yield* server.tick(91_000)
      yield* server.tick(61_000)
      yield* eventually("the end", LIMIT, () => statuses.find((status) => status === "settled"))
      yield* eventually("every commitment", LIMIT, () => (heard.length >= made.length ? true : undefined))
      expect(heard).toEqual(made)
      expect(seqs).toEqual([...new Set(seqs)].toSorted((one, other) => one - other))
      expect(sockets.length).toBe(5)
      yield* Effect.promise(() => client.close())
      yield* Effect.promise(() => loops)
      expect(yield* failureOf(client.balances())).toMatchObject({ code: "closed" })
    })
  )

  itLive("leaves a call that is called off", () =>
    Effect.gen(function* () {
      const { server, trader } = yield* openedArena()
      const client = yield* lane({ url: server.url, token: yield* server.token(trader.id) })
      const abort = new AbortController()
      const call = client.balances({}, { signal: abort.signal })
      abort.abort(new Error("enough"))
      expect(yield* failureOf(call)).toMatchObject({ message: "enough" })
      expect(yield* failureOf(client.balances({}, { signal: abort.signal }))).toMatchObject({ message: "enough" })
    })
  )
})
