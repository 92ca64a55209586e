import { describe, expect, it } from "bun:test"
import { Effect, Result } from "effect"
import fc from "fast-check"
import { ARENA_STREAM_PATH, MAX_CLIENT_FRAME_BYTES, MAX_ORDER_IDS } from "../../../src/api/ArenaStreamProtocol.ts"
import { readFrame } from "../../../src/stream/ClientFrames.ts"
import { FRAME_BUDGET } from "../../../src/stream/FrameBudget.ts"
import { commitment, OPENING, terms } from "../../lib/ArenaArbitraries.ts"
import { onDatabase } from "../../lib/CliProcess.ts"
import { itLive } from "../../lib/Effects.ts"
import { sendAsync } from "../../lib/Requests.ts"
import { OWN_RUNTIME } from "../../lib/Programs.ts"
import { property } from "../../lib/Property.ts"
import { eventually, startServer } from "../../lib/ServerProcess.ts"
import { connectStalled, connectStream, type StreamClient } from "../../lib/StreamClient.ts"
import { streamFixture } from "../../lib/StreamFixture.ts"
import { testDatabase } from "../../lib/TestDatabase.ts"

const opening = { _tag: "OrderOpened", at: OPENING, terms: terms() } as const
const bid = { _tag: "CommitmentSubmitted", at: OPENING, commitment: commitment(1) } as const

/** Something is told all the time. */
const BUSY = { ARENA_SLOT_SECONDS: "4", ARENA_PRICE_INTERVAL_SECONDS: "1" }

const LIMIT = 20_000

const frames = (texts: ReadonlyArray<string>) =>
  texts.map((text): { readonly type: string; readonly data: Record<string, unknown> } => JSON.parse(text))

/** What the stream says to one text after all that came before. */
const answerTo = (client: StreamClient, sent: string | Uint8Array<ArrayBuffer>) =>
  Effect.suspend(() => {
    const count = client.messages.length
    client.socket.send(sent)
    return Effect.map(client.received(count + 1), (texts) => frames(texts).at(-1)!)
  })

const MALFORMED: ReadonlyArray<readonly [string, string | Uint8Array<ArrayBuffer>]> = [
  ["nothing", ""],
  ["no JSON", "not json"],
  ["half of it", `{"type":"ping"`],
  ["a list", "[]"],
  ["a number", "1e999"],
  ["null", "null"],
  ["no type", "{}"],
  ["an unknown type", `{"type":"order_created"}`],
  ["a type of the prototype", `{"type":"constructor"}`],
  ["a type that is none", `{"type":{"toString":1}}`],
  ["an overlong id", `{"type":"ping","id":"${"x".repeat(65)}"}`],
  ["an id that is no text", `{"type":"ping","id":7}`],
  ["an id with a control character", `{"type":"ping","id":"a\\u0000"}`],
  ["channels that are none", `{"type":"subscribe","data":{"channels":["secrets"]}}`],
  ["channels that are no list", `{"type":"subscribe","data":{"channels":"orders"}}`],
  ["data that is none", `{"type":"subscribe","data":[1]}`],
  ["a filter that is a number", `{"type":"subscribe","data":{"asset_type":7}}`],
  ["an unknown asset type", `{"type":"subscribe","data":{"asset_type":["tulips"]}}`],
  ["a filter beside the data", `{"type":"subscribe","channels":["orders"]}`],
  ["a misspelt filter", `{"type":"subscribe","data":{"channel":["orders"]}}`],
  [
    "many fields",
    JSON.stringify({ type: "ping", ...Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [at, 0])) })
  ],
  ["a negative position", `{"type":"subscribe","data":{"resume":{"epoch":"e","seq":-1}}}`],
  ["a broken position", `{"type":"subscribe","data":{"resume":{"epoch":"e","seq":1.5}}}`],
  ["a position beyond numbers", `{"type":"subscribe","data":{"resume":{"epoch":"e","seq":1e300}}}`],
  ["no epoch", `{"type":"subscribe","data":{"resume":{"seq":1}}}`],
  ["too many orders", JSON.stringify({ type: "subscribe", data: { order_id: Array(MAX_ORDER_IDS + 1).fill("o") } })],
  ["deep lists", "[".repeat(30_000) + "]".repeat(30_000)],
  [
    "deep objects",
    `{"type":"subscribe","data":${'{"a":'.repeat(9_000)}1${"}".repeat(9_000)}}`.replace('"data":', '"id":')
  ],
  ["unclosed depth", "[".repeat(60_000)],
  ["binary", new Uint8Array([0, 255, 1])],
  ["binary JSON", new TextEncoder().encode(`{"type":"ping"}`)]
]

describe("hostile frames", () => {
  itLive("that are malformed get an error each, and the subscription stays", () =>
    Effect.gen(function* () {
      const { url, commit } = yield* streamFixture()
      const client = yield* connectStream(url)
      for (const [what, sent] of MALFORMED) {
        const { data, type } = yield* answerTo(client, sent)
        expect([what, type, data["code"]]).toEqual([what, "error", "invalid_request"])
        expect(String(data["message"]).length).toBeLessThanOrEqual(1_000)
      }
      commit(opening)
      expect(frames(yield* client.received(MALFORMED.length + 1)).at(-1)?.type).toBe("order_created")
    })
  )

  itLive("are answered under their id, and named", () =>
    Effect.gen(function* () {
      const { url } = yield* streamFixture()
      const client = yield* connectStream(url)
      const wrong = yield* answerTo(client, `{"type":"subscribe","id":"q7","data":{"channels":["secrets"]}}`)
      expect(wrong.data["id"]).toBe("q7")
      expect(String(wrong.data["message"])).toStartWith("data.channels.0: Expected")
      const unknown = yield* answerTo(client, `{"type":"shout","id":"q8"}`)
      expect(unknown.data).toEqual({
        id: "q8",
        code: "invalid_request",
        message: "type: Expected subscribe, unsubscribe or ping"
      })
      const untyped = yield* answerTo(client, `{"action":"subscribe"}`)
      expect(untyped.data["message"]).toBe("type: Expected subscribe, unsubscribe or ping")
      const misspelt = yield* answerTo(client, `{"type":"subscribe","data":{"asset_types":["fx"]}}`)
      expect(misspelt.data["message"]).toBe("data.asset_types: Expected no field of this name")
    })
  )

  itLive("that flood end with 1008, and nobody else notices", () =>
    Effect.gen(function* () {
      const { url, commit, stream } = yield* streamFixture({ isStill: true })
      const [loud, quiet] = yield* Effect.all([connectStream(url), connectStream(url)])
      for (let sent = 0; sent <= FRAME_BUDGET.burst; sent++) loud.socket.send(`{"type":"ping"}`)
      expect(yield* loud.closed).toBe(1008)
      expect(loud.messages).toHaveLength(FRAME_BUDGET.burst)
      expect(stream.size()).toBe(1)
      commit(opening)
      expect(frames(yield* quiet.received(1))[0]?.type).toBe("order_created")
    })
  )

  itLive("may go on as slowly as they are answered", () =>
    Effect.gen(function* () {
      const { url, pass } = yield* streamFixture({ isStill: true })
      const client = yield* connectStream(url)
      for (let round = 0; round < 5; round++) {
        for (let sent = 0; sent < 40; sent++) client.socket.send(`{"type":"ping"}`)
        yield* client.received((round + 1) * 40)
        yield* pass(4_000)
      }
      expect(new Set(frames(client.messages.slice(0, 200)).map(({ type }) => type))).toEqual(new Set(["pong"]))
    })
  )

  itLive("that ask for too many readings end with 1008", () =>
    Effect.gen(function* () {
      const { url } = yield* streamFixture({ isStill: true })
      const client = yield* connectStream(url)
      const again = JSON.stringify({ type: "subscribe", data: { resume: { epoch: "another", seq: 0 } } })
      for (let sent = 0; sent < 13; sent++) client.socket.send(again)
      expect(yield* client.closed).toBe(1008)
      expect(frames(client.messages).filter(({ type }) => type === "resync_required")).toHaveLength(12)
    })
  )

  itLive("that are too large end with 1009, and nobody else notices", () =>
    Effect.gen(function* () {
      const { url, commit } = yield* streamFixture()
      const quiet = yield* connectStream(url)
      for (const size of [MAX_CLIENT_FRAME_BYTES + 1, 2_000_000]) {
        const loud = yield* connectStream(url)
        loud.socket.send("x".repeat(size))
        expect(yield* loud.closed).toBe(1009)
      }
      const fitting = yield* connectStream(url)
      expect((yield* answerTo(fitting, "x".repeat(MAX_CLIENT_FRAME_BYTES))).type).toBe("error")
      commit(opening)
      expect(frames(yield* quiet.received(1))[0]?.type).toBe("order_created")
    })
  )

  itLive("that no WebSocket has end their connection alone", () =>
    Effect.gen(function* () {
      const { url, commit, stream } = yield* streamFixture()
      const quiet = yield* connectStream(url)
      const broken = yield* connectStalled(url)
      expect(stream.size()).toBe(2)
      yield* broken.write(Buffer.from([0xff, 0xff, 0xff, 0xff, 0xff, 0xff]))
      yield* broken.drain
      commit(opening, bid)
      expect(frames(yield* quiet.received(2))[1]?.type).toBe("commitment_submitted")
      expect(stream.size()).toBe(1)
    })
  )

  it("are never more than a refusal, whatever they are", () => {
    const like = fc.record(
      {
        type: fc.oneof(fc.constantFrom("subscribe", "unsubscribe", "ping"), fc.string()),
        id: fc.anything(),
        data: fc.oneof(
          fc.anything(),
          fc.record(
            {
              channels: fc.anything(),
              asset_type: fc.anything(),
              order_id: fc.anything(),
              snapshot: fc.anything(),
              resume: fc.anything()
            },
            { requiredKeys: [] }
          )
        )
      },
      { requiredKeys: [] }
    )
    const text = fc.oneof(
      fc.string(),
      fc.json(),
      like.map(
        (value) => JSON.stringify(value, (_, inner) => (typeof inner === "bigint" ? String(inner) : inner)) ?? ""
      )
    )
    fc.assert(
      fc.property(fc.oneof(text, fc.uint8Array()), (sent) => {
        const read = readFrame(sent)
        if (Result.isSuccess(read)) expect(["subscribe", "unsubscribe", "ping"]).toContain(read.success.type)
        else expect(read.failure.message).not.toBe("")
      }),
      property()
    )
  })

  it("are refused by what their fields take, whether those may be left out or not", () => {
    const told = (data: object) =>
      Result.match(readFrame(JSON.stringify({ type: "subscribe", data })), {
        onFailure: ({ message }) => message,
        onSuccess: () => "taken"
      })
    expect(told({ asset_type: "fx" })).toBe("data.asset_type: Expected array")
    expect(told({ channels: ["order"] })).toBe(
      'data.channels.0: Expected one of "orders", "commitments", "settlements", "prices", "my"'
    )
    expect(told({ resume: { seq: 5 } })).toBe("data.resume.epoch: Expected a value, and none was given")
    expect(told({ chanels: [] })).toBe("data.chanels: Expected no field of this name")
  })

  itLive("leave a server's process as it was, all of them at once", () =>
    Effect.gen(function* () {
      const server = yield* startServer({ ...onDatabase((yield* Effect.orDie(testDatabase)).url), ...BUSY })
      const url = server.url + ARENA_STREAM_PATH
      const quiet = yield* connectStream(url)
      const attack = Effect.fnUntraced(function* (sent: ReadonlyArray<string | Uint8Array<ArrayBuffer>>) {
        const client = yield* connectStream(url)
        for (const one of sent) client.socket.send(one)
        return client
      })
      const answered = yield* Effect.forEach(MALFORMED, ([, sent]) => attack([sent]))
      const floods = yield* Effect.forEach(
        [
          [5_000, `{"type":"ping"}`],
          [5_000, "["],
          [200, "x".repeat(MAX_CLIENT_FRAME_BYTES)]
        ] as const,
        ([count, sent]) => attack(Array.from({ length: count }, () => sent))
      )
      const large = yield* Effect.forEach(
        ["x".repeat(2_000_000), "[".repeat(2_000_000), new Uint8Array(2_000_000)],
        (sent) => attack([sent])
      )
      const broken = yield* connectStalled(url)
      yield* broken.write(Buffer.alloc(100_000, 0xff))
      yield* broken.drain
      const heard = (client: StreamClient, type: string) =>
        eventually(type, LIMIT, () => (frames(client.messages).some((frame) => frame.type === type) ? true : undefined))
      for (const client of answered) yield* heard(client, "error")
      // Where a client goes on sending, Deno breaks the connection off before the client has read why.
      const ends = OWN_RUNTIME === "bun" ? [1008] : [1008, 1006]
      for (const { closed } of floods) expect(ends).toContain(yield* closed)
      for (const { closed } of large) expect(yield* closed).toBe(1009)
      const count = quiet.messages.length
      yield* eventually("more messages", LIMIT, () => (quiet.messages.length > count ? true : undefined))
      quiet.socket.send(`{"type":"subscribe","data":{"channels":["orders"]}}`)
      yield* heard(quiet, "subscribed")
      expect((yield* Effect.promise(() => sendAsync(`${server.url}/health/ready`, {}))).status).toBe(200)
      expect(server.said().stderr).toBe("")
    })
  )
})
