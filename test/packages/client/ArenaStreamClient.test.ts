import type { ClientPlatform } from "../../../packages/client/src/ClientPlatform.ts"
import { FastLaneClient } from "../../../packages/client/src/FastLaneClient.ts"
import { describe, expect, it } from "bun:test"
import { Effect } from "effect"
import fc from "fast-check"
import {
  ArenaStreamClient,
  type ArenaStreamOptions,
  type StreamItem,
  type StreamStatus
} from "../../../packages/client/src/ArenaStreamClient.ts"
import { itLive } from "../../lib/Effects.ts"
import { FakeArena } from "../../lib/FakeArena.ts"
import { openedArena } from "../../lib/OpenedArena.ts"
import { sendAsync } from "../../lib/Requests.ts"
import { property } from "../../lib/Property.ts"
import { eventually } from "../../lib/ServerProcess.ts"

const URL = "http://arena.example"

const fixture = (options: Partial<ArenaStreamOptions> = {}) => {
  const arena = new FakeArena()
  const items: Array<StreamItem> = []
  const statuses: Array<StreamStatus> = []
  const whys: Array<string | undefined> = []
  const client = new ArenaStreamClient({
    url: URL,
    platform: arena.platform,
    onItem: (item) => void items.push(item),
    onStatus: (status, why) => {
      statuses.push(status)
      whys.push(why)
    },
    ...options
  })
  const seqs = () => items.flatMap((item) => (item.kind === "event" ? [item.position.seq] : []))
  return { arena, items, statuses, whys, client, seqs }
}

const ORDERS = ["a", "b", "c", "d", "e"] as const
const anyOrder = fc.constantFrom(...ORDERS)

/** What may happen to a client and its server. */
const anyAct: fc.Arbitrary<(arena: FakeArena) => void> = fc.oneof(
  { weight: 3, arbitrary: anyOrder.map((id) => (arena: FakeArena) => arena.openOrder(id)) },
  { weight: 14, arbitrary: anyOrder.map((id) => (arena: FakeArena) => arena.bid(id)) },
  { weight: 1, arbitrary: anyOrder.map((id) => (arena: FakeArena) => arena.settle(id)) },
  { weight: 2, arbitrary: fc.constant((arena: FakeArena) => arena.silent()) },
  { weight: 8, arbitrary: fc.nat(12).map((count) => (arena: FakeArena) => arena.socket.deliver(count)) },
  { weight: 6, arbitrary: fc.nat(3_000).map((millis) => (arena: FakeArena) => arena.time.pass(millis)) },
  {
    weight: 3,
    arbitrary: fc.constantFrom(1001, 1006, 1013, 4408).map((code) => (arena: FakeArena) => cut(arena, code))
  },
  { weight: 3, arbitrary: fc.nat(4).map((at) => (arena: FakeArena) => arena.socket.lose(at)) },
  { weight: 2, arbitrary: fc.constant(repeat) },
  { weight: 2, arbitrary: fc.nat(4).map((at) => (arena: FakeArena) => arena.socket.swap(at)) },
  { weight: 2, arbitrary: fc.constant((arena: FakeArena) => arena.heartbeat()) },
  { weight: 1, arbitrary: fc.constant((arena: FakeArena) => arena.renew()) }
)

function cut({ socket }: FakeArena, code: number): void {
  if (socket.isOpen) socket.end(code)
}

function repeat({ socket }: FakeArena): void {
  if (socket.last !== undefined) socket.emit("message", { data: socket.last })
}

/** What a consumer must have been told from each beginning on. */
const expected = (arena: FakeArena, { epoch, seq }: { readonly epoch: string; readonly seq: number }, end: number) =>
  (arena.logs.get(epoch) ?? []).slice(seq, end).filter(({ told }) => told.length > 0)

describe("ArenaStreamClient", () => {
  it("is not made where nothing opens WebSockets, such as on Node before version 22", () => {
    const none = { WebSocket: undefined } as unknown as Partial<ClientPlatform>
    const message = "There is no WebSocket here: run this on Node from version 22 on, Deno, Bun or in a browser."
    expect(() => new ArenaStreamClient({ url: URL, platform: none })).toThrow(message)
    expect(() => new FastLaneClient({ url: URL, token: "t", platform: none })).toThrow(message)
  })

  it("tells exactly the server's events, whatever happens in between", () => {
    fc.assert(
      fc.property(fc.array(anyAct, { maxLength: 120, size: "max" }), (acts) => {
        const { arena, client, items } = fixture()
        client.start()
        for (const act of acts) act(arena)
        arena.rest()
        arena.openOrder("last")
        arena.rest()

        let beginning = { epoch: "", seq: 0 }
        let told = 0
        for (const item of items) {
          if (item.kind === "snapshot") {
            beginning = item.position
            told = 0
          }
          if (item.kind !== "event") continue
          const { frames, position } = item
          const next = expected(arena, beginning, position.seq).at(told)!
          expect({ ...position, told: frames.map(({ data, type }) => ({ type, data })) as unknown }).toEqual({
            epoch: beginning.epoch,
            ...next
          })
          told += 1
        }
        expect(client.position).toEqual({ epoch: arena.epoch, seq: arena.log.length })
        expect(told).toBe(expected(arena, beginning, Infinity).length)
        const live = [...arena.orders].filter(([, { status }]) => status !== "settled")
        expect([...client.state()!].filter(([, { status }]) => status !== "settled").toSorted()).toEqual(
          live.toSorted()
        )
        for (const [id, order] of client.state()!) expect(arena.orders.get(id)).toEqual(order)
        client.close()
      }),
      property()
    )
  })

  it("reads by a loop at the reader's pace, and holds no more than its limit", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(20), { maxLength: 20 }),
        fc.integer({ min: 1, max: 8 }),
        async (pulls, limit) => {
          const { arena, client, statuses } = fixture({ maxQueuedItems: limit })
          const seen: Array<number> = []
          const reader = client[Symbol.asyncIterator]()
          const pull = async () => {
            const { value } = await reader.next()
            if (value?.kind === "event") seen.push(value.position.seq)
          }
          arena.rest()
          await pull()
          arena.openOrder("a")
          for (let bid = 0; bid < 50; bid++) arena.bid("a")
          arena.rest()
          expect(statuses).toContain("paused")
          for (const count of pulls) {
            for (let left = count; left > 0 && seen.length < 51; left--) {
              arena.rest()
              await pull()
            }
          }
          while (seen.length < 51) {
            arena.rest()
            await pull()
          }
          expect(seen).toEqual(arena.log.map(({ seq }) => seq))
          await reader.return?.()
          expect(client.status).toBe("ended")
        }
      ),
      property(10)
    )
  })

  it("asks for a fresh ticket for every connection", async () => {
    let tickets = 0
    const ticket = () => Promise.resolve((tickets += 1) > 2 ? null : `t${tickets}`)
    const { arena, client, whys } = fixture({ channels: ["my"], ticket })
    client.start()
    await Promise.resolve()
    arena.rest()
    expect(arena.socket.protocols).toEqual(["emporion.v1", "ticket.t1"])
    expect(arena.socket.url).toBe("ws://arena.example/ws/arena")
    arena.socket.end(4401)
    arena.time.pass(500)
    await Promise.resolve()
    arena.rest()
    expect(arena.socket.protocols).toEqual(["emporion.v1", "ticket.t2"])
    expect(client.status).toBe("live")
    arena.socket.end(4401)
    arena.time.pass(500)
    await Promise.resolve()
    expect(client.status).toBe("ended")
    expect(whys.at(-1)).toContain("ticket")
    expect(arena.sockets).toHaveLength(2)
  })

  it("ends where what was missed cannot be told, if it is asked to", async () => {
    const { arena, client } = fixture({ endOnResync: true })
    const reader = client[Symbol.asyncIterator]()
    arena.rest()
    expect((await reader.next()).value).toMatchObject({ kind: "snapshot" })
    arena.renew()
    arena.rest()
    expect(await reader.next().catch((failure: unknown) => failure)).toMatchObject({ code: "epoch_changed" })
    expect(client.status).toBe("ended")
  })

  it("ends with 4401 where nobody can authenticate it again", async () => {
    const { arena, client } = fixture()
    const reader = client[Symbol.asyncIterator]()
    arena.rest()
    expect((await reader.next()).value).toMatchObject({ kind: "snapshot" })
    arena.socket.end(4401)
    expect(await reader.next().catch((failure: unknown) => failure)).toMatchObject({ code: "authentication_expired" })
  })

  it("waits as long as a server that shuts down asks for", () => {
    const { arena, client, statuses } = fixture()
    client.start()
    arena.rest()
    arena.socket.say("server_shutdown", { reconnect_after_ms: 2_000 })
    arena.socket.deliver(1)
    arena.socket.end(1001)
    arena.time.pass(2_000)
    expect(arena.sockets).toHaveLength(1)
    arena.time.pass(250)
    expect(arena.sockets).toHaveLength(2)
    arena.rest()
    expect(statuses).toEqual(["connecting", "live", "waiting", "connecting", "live"])
  })

  it("waits longer each time that it is in vain, and longer where it was too slow", () => {
    const waits = (code: number) => {
      const { arena, client } = fixture()
      client.start()
      return Array.from({ length: 9 }, () => {
        const count = arena.sockets.length
        arena.socket.end(code)
        let waited = 0
        for (; arena.sockets.length === count; waited++) arena.time.pass(1)
        return waited
      })
    }
    expect(waits(1006)).toEqual([188, 375, 750, 1_500, 3_000, 6_000, 12_000, 22_500, 22_500])
    expect(waits(4408)[0]).toBe(1_500)
  })

  it("asks a silent server for a sign, and gives it up without one", () => {
    const { arena, client, whys } = fixture()
    client.start()
    arena.rest()
    const { socket } = arena
    arena.time.pass(40_000)
    expect(socket.sent.map(({ type }) => type)).toContain("ping")
    socket.outgoing.length = 0
    arena.time.pass(20_000)
    expect(whys).toContain("silence")
    arena.rest()
    expect(arena.sockets.length).toBeGreaterThan(1)
    expect(client.status).toBe("live")
  })

  it("resumes where it is told to, and has no state then", () => {
    const { arena, client, seqs } = fixture({ from: { epoch: "epoch-1", seq: 2 } })
    for (const id of ["a", "b", "c", "d"]) arena.openOrder(id)
    client.start()
    arena.rest()
    expect(seqs()).toEqual([3, 4])
    expect(client.state()).toBeUndefined()
  })

  it("distrusts heartbeats that do not fit", () => {
    const { arena, client, whys, seqs } = fixture()
    client.start()
    arena.rest()
    arena.openOrder("a")
    arena.socket.deliver(Infinity)
    arena.socket.say("heartbeat", { epoch: "epoch-1", seq: 0, prev: 0 })
    arena.socket.deliver(1)
    expect(whys.at(-1)).toBe("a heartbeat at 0 after 1")
    arena.rest()
    arena.bid("a")
    arena.socket.outgoing.length = 0
    arena.heartbeat()
    arena.bid("a")
    arena.rest()
    expect(client.breaches).toBe(2)
    expect(seqs()).toEqual([1, 2, 3])
  })

  it("notices the loss of a frame in the middle of an event", () => {
    const { arena, client, items } = fixture()
    client.start()
    arena.rest()
    arena.openOrder("a")
    for (let bid = 0; bid < 3; bid++) arena.bid("a")
    arena.socket.deliver(Infinity)
    arena.settle("a")
    arena.socket.lose(2)
    arena.rest()
    expect(client.breaches).toBe(1)
    expect(items.at(-1)).toMatchObject({ position: { seq: 5 }, frames: arena.log[4]!.told })
    expect(client.order("a")).toEqual(arena.orders.get("a")!)
  })

  it.each(["no JSON", "[]", `{"type":"snapshot","data":{}}`, `{"type":"order_updated","data":{},"seq":-1}`])(
    "starts a new connection after %p",
    (text) => {
      const { arena, client } = fixture()
      client.start()
      arena.rest()
      arena.socket.emit("message", { data: text })
      expect(client.status).toBe("waiting")
      expect(client.breaches).toBe(1)
    }
  )

  it("ends where there cannot be a connection", () => {
    const client = new ArenaStreamClient({ url: URL, ticket: () => Promise.resolve("two words") })
    client.start()
    return client[Symbol.asyncIterator]()
      .next()
      .then(
        () => expect.unreachable(),
        (failure: unknown) => expect(failure).toMatchObject({ code: "invalid_request" })
      )
  })

  it("lets frames through that it does not know", () => {
    const { arena, client, items } = fixture()
    client.start()
    arena.rest()
    arena.socket.say("greeting", {})
    arena.socket.say("order_praised", { order_id: "a" }, { seq: 1, prev: 0, frame: 1, frames: 1 })
    arena.socket.deliver(2)
    expect(client.status).toBe("live")
    expect(items.at(-1)).toMatchObject({ kind: "event", position: { seq: 1 } })
  })

  it("ends where the server does not understand it, and where an item is not taken", () => {
    const { arena, client } = fixture()
    client.start()
    arena.rest()
    arena.socket.say("error", { code: "invalid_request", message: "No." })
    arena.socket.deliver(1)
    expect(client.status).toBe("ended")

    const other = fixture({
      onItem: () => {
        throw new Error("full disk")
      }
    })
    other.client.start()
    other.arena.rest()
    expect(other.client.status).toBe("ended")
  })
})

describe("ArenaStreamClient with tickets", () => {
  itLive("hears its own outcomes, and those it was away for by another ticket", () =>
    Effect.gen(function* () {
      const { server, trader, commit } = yield* openedArena()
      const sockets: Array<Bun.WebSocket> = []
      const heard: Array<string> = []
      let tickets = 0
      const headers = { authorization: `Bearer ${yield* server.token(trader.id)}` }
      const ticket = () => {
        tickets += 1
        return sendAsync(`${server.url}/api/arena/stream/ticket`, { method: "POST", headers }).then(
          ({ json }) => (json as { readonly ticket: string }).ticket
        )
      }
      const client = new ArenaStreamClient({
        url: server.url,
        channels: ["my"],
        snapshot: false,
        ticket,
        platform: {
          WebSocket: class extends WebSocket {
            constructor(url: string, protocols: Array<string>) {
              super(url, protocols)
              sockets.push(this as unknown as Bun.WebSocket)
            }
          }
        },
        onItem: (item) => {
          if (item.kind === "event") heard.push(...item.frames.map(({ data, type }) => `${type} ${data.order_id}`))
        }
      })
      yield* Effect.acquireRelease(
        Effect.sync(() => client.start()),
        () => Effect.sync(() => client.close())
      )
      const isLive = () => (client.status === "live" ? true : undefined)
      yield* eventually("a subscription", 10_000, isLive)
      const { json } = yield* commit({})
      yield* server.tick(91_000)
      yield* eventually("the choice", 10_000, () => heard[0])
      sockets[0]!.terminate()
      yield* server.tick(61_000)
      yield* eventually("the settlement", 10_000, () => heard[1])
      expect(heard[0]).toStartWith("commitment_won")
      expect(heard[1]).toStartWith("commitment_settled")
      expect(json.data.commitment_id).toBeString()
      expect([tickets, client.connections, client.breaches]).toEqual([2, 2, 0])
    })
  )
})
