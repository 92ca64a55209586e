import { describe, expect, it } from "bun:test"
import { Effect } from "effect"
import type { Scope } from "effect"
import fc from "fast-check"
import { CHANNELS } from "../../../src/api/ArenaStreamProtocol.ts"
import type { LogPosition } from "../../../packages/client/src/StreamProgress.ts"
import { anyLog } from "../../lib/AnyLog.ts"
import { itLive } from "../../lib/Effects.ts"
import { openedArena } from "../../lib/OpenedArena.ts"
import { played } from "../../lib/Playback.ts"
import { property } from "../../lib/Property.ts"
import { quiet } from "../../lib/Quiet.ts"
import { eventually } from "../../lib/ServerProcess.ts"
import { type StreamClient, streamClientOf } from "../../lib/StreamClient.ts"
import { EPOCH, type StreamFixture, streamFixture } from "../../lib/StreamFixture.ts"
import { openSocket } from "../../lib/StreamReader.ts"

interface Numbers {
  readonly type: string
  readonly seq?: number
  readonly frame?: number
  readonly frames?: number
  readonly data: { readonly seq?: number; readonly pages?: number }
}

const read = (text: string): Numbers => JSON.parse(text)

/** What a client can do without: the next of its kind says the same, or more. */
const DISPENSABLE: ReadonlySet<string> = new Set(["heartbeat", "price_update", "pong"])

/** Subscribes, and answers when that is done. */
const subscribe = (client: StreamClient, data: object) =>
  Effect.andThen(
    Effect.sync(() => client.socket.send(JSON.stringify({ type: "subscribe", id: "1", data }))),
    client.received(1)
  )

/** Lets time pass until a heartbeat says that all was told. */
const untilTold = Effect.fnUntraced(function* (fixture: StreamFixture, client: StreamClient) {
  for (;;) {
    yield* fixture.pass(15_000)
    const count = client.messages.length
    client.socket.send(`{"type":"ping"}`)
    yield* client.received(count + 1)
    const beat = client.messages.map(read).findLast(({ type }) => type === "heartbeat")
    if (beat?.data.seq === fixture.log.events.length) return
  }
})

/** Each frame of a conversation that ends with a heartbeat is lost in turn: the client notices, or needs it not. */
const expectEachMissed = (texts: ReadonlyArray<string>, from: LogPosition | undefined, snapshot: boolean): number => {
  const options = { snapshot, ...(from === undefined ? {} : { from }) }
  const whole = played(texts, options)
  expect([whole.breaches, whole.retries]).toEqual([0, 0])
  let noticed = 0
  for (const [index, text] of texts.entries()) {
    const { type } = read(text)
    const { breaches, items, retries } = played(texts.toSpliced(index, 1), options)
    if (DISPENSABLE.has(type)) {
      expect([breaches, retries]).toEqual([0, 0])
      continue
    }
    expect({ index, text, breaches, retries }).toEqual({ index, text, breaches: 1, retries: 1 })
    expect(items).toEqual(whole.items.slice(0, items.length))
    noticed += 1
  }
  return noticed
}

const anyChannels = fc.subarray([...CHANNELS], { minLength: 1 })

const run = <A>(body: Effect.Effect<A, never, Scope.Scope>): Promise<A> =>
  Effect.runPromise(Effect.provide(Effect.scoped(body), quiet))

describe("StreamProgress", () => {
  it("notices the loss of any one frame of a recorded conversation", () =>
    fc.assert(
      fc.asyncProperty(anyLog, anyChannels, fc.nat(100), fc.nat(100), (log, channels, missed, seen) =>
        run(
          Effect.gen(function* () {
            const fixture = yield* streamFixture({ isStill: true })
            const before = Math.floor((log.length * seen) / 100)
            fixture.commit(...log.slice(0, before))
            const from = { epoch: EPOCH, seq: Math.floor((before * missed) / 100) }
            const client = yield* streamClientOf(openSocket(fixture.url, { authorization: "Bearer usr_alice" }))
            yield* subscribe(client, { channels, sequence: true, resume: from })
            for (const event of log.slice(before)) {
              fixture.commit(event)
              yield* Effect.yieldNow
            }
            yield* untilTold(fixture, client)
            expectEachMissed(client.messages, from, false)
          })
        )
      ),
      property(10)
    ))

  it("notices that it was not told of a new beginning", () =>
    run(
      Effect.gen(function* () {
        const fixture = yield* streamFixture({ isStill: true })
        const client = yield* streamClientOf(openSocket(fixture.url))
        const from = { epoch: "another", seq: 7 }
        yield* subscribe(client, { sequence: true, resume: from })
        yield* untilTold(fixture, client)
        expect(expectEachMissed(client.messages, from, false)).toBe(2)
      })
    ))

  itLive("notices the loss of any one page of a recorded snapshot, and of any one frame after it", () =>
    Effect.gen(function* () {
      const { server, commit } = yield* openedArena({ ARENA_COMMIT_WINDOW_SECONDS: "7200" })
      for (let slot = 0; slot < 40; slot++) yield* server.tick(60_000)
      const client = yield* streamClientOf(openSocket(server.url))
      yield* subscribe(client, { channels: ["orders", "commitments"], sequence: true, snapshot: true })
      const pages = () => client.messages.map(read).filter(({ type }) => type === "snapshot")
      yield* client.received(2)
      yield* client.received(1 + (pages()[0]?.data.pages ?? 0))
      expect(pages().length).toBeGreaterThan(1)
      for (let index = 0; index < 3; index++) yield* commit({})
      const seq = yield* eventually("three whole events", 10_000, () => {
        const ends = client.messages.map(read).filter(({ frame, frames }) => frame !== undefined && frame === frames)
        return ends.length === 3 ? ends[2]!.seq : undefined
      })
      const position = { epoch: (read(client.messages[0]!).data as unknown as LogPosition).epoch, seq }
      const beat = JSON.stringify({ type: "heartbeat", data: { ...position, prev: seq }, timestamp: "" })
      expect(expectEachMissed([...client.messages, beat], undefined, true)).toBeGreaterThanOrEqual(
        1 + pages().length + 6
      )
    })
  )
})
