import { describe, expect } from "bun:test"
import { Context, Effect } from "effect"
import { render } from "../../../src/http/MetricsRoute.ts"
import { Users } from "../../../src/identity/users/Users.ts"
import { PausingProxy } from "../../../scripts/cluster/PausingProxy.ts"
import { itLive } from "../../lib/Effects.ts"
import { openedOn } from "../../lib/OpenedArena.ts"
import { eventually } from "../../lib/ServerProcess.ts"
import { type StreamClient, streamClientOf } from "../../lib/StreamClient.ts"
import { openSocket } from "../../lib/StreamReader.ts"
import type { TestDatabase } from "../../lib/TestDatabase.ts"
import { twoNodes, twoNodesWith } from "../../lib/TwoNodes.ts"

interface Frame {
  readonly type: string
  readonly data: { readonly epoch: string; readonly seq: number; readonly code?: string }
  readonly seq?: number
}

const read = (text: string): Frame => JSON.parse(text)

const connect = (url: string, token?: string, protocols: ReadonlyArray<string> = []) =>
  streamClientOf(openSocket(url, token === undefined ? {} : { authorization: `Bearer ${token}` }, protocols))

const LIMIT = 20_000

const becomes = (what: string, is: () => boolean) => eventually(what, LIMIT, () => is() || undefined)

/** The code that a connection is closed with before it is open. */
const refusedWith = (url: string, headers: Record<string, string>, protocols: ReadonlyArray<string> = []) =>
  Effect.promise(
    () =>
      new Promise<number>((resolve) =>
        openSocket(url, headers, protocols).addEventListener("close", ({ code }) => resolve(code))
      )
  )

const subscribe = (client: StreamClient, data: object) =>
  client.socket.send(JSON.stringify({ type: "subscribe", data }))

/** The texts of a client's frames that carry a sequence. */
const sequenced = ({ messages }: StreamClient) => messages.filter((text) => read(text).seq !== undefined)

const lastOf = (client: StreamClient) => Math.max(0, ...sequenced(client).map((text) => read(text).seq ?? 0))

const ofType = ({ messages }: StreamClient, type: string) => messages.map(read).find((frame) => frame.type === type)

/** Two nodes with an open arena, once the one that does not write serves the stream itself. */
const openedOf = Effect.fnUntraced(function* (made: typeof twoNodes) {
  const nodes = yield* made
  const arena = yield* openedOn(nodes.server)
  const request = new Request(`${nodes.urls[1]}/ws/arena`, { headers: { upgrade: "websocket" } })
  yield* becomes("the edge serves the stream", () => nodes.edge.serves(request))
  return { ...nodes, ...arena }
})

const opened = Effect.suspend(() => openedOf(twoNodes))

/** The same, where what the other node says to the database and hears of it can be held up. */
const openedBehindProxy = Effect.gen(function* () {
  const proxies: Array<PausingProxy> = []
  const behindProxy = ({ config, name }: TestDatabase) =>
    Effect.acquireRelease(
      Effect.promise(() => PausingProxy.listen(0, { path: config.path ?? "" })),
      (proxy) => Effect.sync(() => proxy.close())
    ).pipe(
      Effect.map((proxy) => {
        proxies.push(proxy)
        return `postgresql://${config.username}@127.0.0.1:${proxy.port}/${name}`
      })
    )
  const nodes = yield* openedOf(twoNodesWith({}, Effect.succeed, behindProxy))
  const [proxy] = proxies
  if (proxy === undefined) return yield* Effect.die("there is no proxy")
  return { ...nodes, proxy }
})

const everything = { channels: ["orders", "commitments", "settlements"], sequence: true }

describe("The stream of a node that does not write", () => {
  itLive("has the same sequences and the same bytes as that of the one that does, resumed from anywhere", () =>
    Effect.gen(function* () {
      const { commit, server, urls } = yield* opened
      const live = [yield* connect(urls[0]), yield* connect(urls[1])]
      for (const client of live) subscribe(client, everything)
      for (const client of live) yield* becomes("a subscription", () => ofType(client, "subscribed") !== undefined)
      const { data } = ofType(live[1]!, "subscribed")!
      expect(data.epoch).toBe(ofType(live[0]!, "subscribed")!.data.epoch)
      for (let round = 0; round < 5; round++) expect((yield* commit({}, undefined, `key-${round}`)).status).toBe(200)
      yield* server.tick(200_000)
      yield* server.tick(200_000)
      const resumed = [yield* connect(urls[0]), yield* connect(urls[1])]
      for (const client of resumed) subscribe(client, { ...everything, resume: { epoch: data.epoch, seq: 0 } })
      const clients = [...live, ...resumed]
      yield* becomes("all are told", () => {
        const last = Math.max(...clients.map(lastOf))
        return last > data.seq + 5 && clients.every((client) => lastOf(client) === last)
      })
      const prices = [yield* connect(urls[0]), yield* connect(urls[1])]
      for (const client of prices) subscribe(client, { channels: ["prices"], price_sequence: true, price_resume: 0 })
      const told = ({ messages }: StreamClient) => messages.filter((text) => text.includes('"price_seq"'))
      yield* becomes(
        "all prices are told",
        () => told(prices[0]!).length > 0 && told(prices[0]!).length === told(prices[1]!).length
      )
      expect(told(prices[1]!)).toEqual(told(prices[0]!))
      expect(sequenced(live[1]!)).toEqual(sequenced(live[0]!))
      expect(sequenced(resumed[1]!)).toEqual(sequenced(resumed[0]!))
      expect(sequenced(resumed[1]!).length).toBeGreaterThan(sequenced(live[1]!).length)
    })
  )

  itLive("goes on where another app takes over, and reads what nobody pushed", () =>
    Effect.gen(function* () {
      const { commit, restart, silence, urls } = yield* opened
      const client = yield* connect(urls[1])
      subscribe(client, everything)
      yield* becomes("a subscription", () => ofType(client, "subscribed") !== undefined)
      yield* commit({}, undefined, "before")
      yield* silence
      yield* commit({}, undefined, "unpushed")
      yield* becomes("it is read", () => sequenced(client).length >= 4)
      yield* restart
      expect((yield* commit({}, undefined, "after")).status).toBe(200)
      yield* becomes("it is told", () => sequenced(client).length >= 6)
      const seqs = sequenced(client).map((text) => read(text).seq)
      expect(new Set(seqs).size).toBe(3)
      expect(client.socket.readyState).toBe(WebSocket.OPEN)
    })
  )

  itLive("waits for what a client was told elsewhere", () =>
    Effect.gen(function* () {
      const { commit, silence, urls } = yield* opened
      const elsewhere = yield* connect(urls[0])
      subscribe(elsewhere, everything)
      yield* becomes("a subscription", () => ofType(elsewhere, "subscribed") !== undefined)
      const { epoch } = ofType(elsewhere, "subscribed")!.data
      yield* silence
      yield* commit({}, undefined, "first")
      yield* becomes("it is told", () => sequenced(elsewhere).length >= 2)
      const seq = lastOf(elsewhere)
      const client = yield* connect(urls[1])
      subscribe(client, { ...everything, resume: { epoch, seq } })
      const answers = ["subscribed", "resync_required"]
      yield* becomes("an answer", () => answers.some((type) => ofType(client, type) !== undefined))
      expect(ofType(client, "subscribed")?.data.seq).toBe(seq)
      yield* commit({}, undefined, "second")
      yield* becomes("it is told", () => sequenced(client).length >= 2)
      expect(read(sequenced(client)[0]!).seq).toBe(seq + 1)
    })
  )

  itLive("closes those of whose events it hears nothing with 1013, and takes them once it has them", () =>
    Effect.gen(function* () {
      const { commit, proxy, silence, urls } = yield* openedBehindProxy
      const elsewhere = yield* connect(urls[0])
      subscribe(elsewhere, everything)
      yield* becomes("a subscription", () => ofType(elsewhere, "subscribed") !== undefined)
      const { epoch } = ofType(elsewhere, "subscribed")!.data
      yield* silence
      proxy.pause()
      yield* commit({}, undefined, "unheard")
      yield* becomes("it is told", () => sequenced(elsewhere).length >= 2)
      const resume = { epoch, seq: lastOf(elsewhere) }
      const resumed = Effect.gen(function* () {
        const client = yield* connect(urls[1])
        subscribe(client, { ...everything, resume })
        return client
      })
      const late = [yield* resumed, yield* resumed, yield* resumed]
      for (const client of late) expect(yield* client.closed).toBe(1013)
      expect(late.map((client) => ofType(client, "resync_required"))).toEqual([undefined, undefined, undefined])
      proxy.goOn()
      const again = yield* resumed
      yield* becomes("a subscription", () => ofType(again, "subscribed") !== undefined)
      expect(ofType(again, "subscribed")?.data.seq).toBe(resume.seq)
    })
  )

  itLive("counts its clients together with those of an app in the same process", () =>
    Effect.gen(function* () {
      const { urls } = yield* opened
      const shown = () => Number(/^emporion_stream_connections (\d+)/m.exec(render(Context.empty()))?.[1] ?? 0)
      const before = shown()
      const clients = [yield* connect(urls[0]), yield* connect(urls[1]), yield* connect(urls[1])]
      for (const client of clients) {
        subscribe(client, everything)
        yield* becomes("a subscription", () => ofType(client, "subscribed") !== undefined)
      }
      expect(shown() - before).toBe(3)
      clients[0]!.socket.close()
      yield* becomes("one left", () => shown() - before === 2)
    })
  )

  itLive("lets in whom the node that writes lets in, once by a ticket, and ends with a suspension", () =>
    Effect.gen(function* () {
      const { server, trader, urls } = yield* opened
      const token = yield* server.token(trader.id)
      const ticket = yield* server.post<{ readonly ticket: string }>("/api/arena/stream/ticket", undefined, {
        as: trader.id
      })
      const protocols = ["emporion.v1", `ticket.${ticket.json.ticket}`]
      const ticketed = yield* connect(urls[1], undefined, protocols)
      expect(ticketed.socket.protocol).toBe("emporion.v1")
      for (const url of urls) expect(yield* refusedWith(url, {}, protocols)).toBe(1006)
      expect(yield* refusedWith(urls[1], { authorization: "Bearer nonsense" })).toBe(1006)
      const anonymous = yield* connect(urls[1])
      const named = yield* connect(urls[1], token)
      const own = [ticketed, named]
      for (const client of [...own, anonymous]) subscribe(client, { channels: ["my"] })
      for (const client of own) yield* becomes("a subscription", () => ofType(client, "subscribed") !== undefined)
      yield* becomes("a refusal", () => ofType(anonymous, "error")?.data.code === "unauthorized")
      yield* server.run(Effect.flatMap(Users, (users) => users.setStatus(trader.id, "suspended")))
      for (const client of own) expect(yield* client.closed).toBe(4401)
      expect(anonymous.socket.readyState).toBe(WebSocket.OPEN)
    })
  )
})
