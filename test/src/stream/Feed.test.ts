import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { Feed } from "../../../src/stream/Feed.ts"
import { CHUNK_BYTES, type Group, type Listener, type Place } from "../../../src/stream/Group.ts"
import { MAX_RECENT_EVENTS } from "../../../src/stream/RecentEvents.ts"
import type { Frame, StreamEvent } from "../../../src/stream/StreamEvent.ts"
import { Subscription } from "../../../src/stream/Subscription.ts"
import { property } from "../../lib/Property.ts"

const frame = (
  order: number,
  name: string,
  channel: Frame["channel"] = "orders",
  userId: string | null = null
): Frame => ({
  channel,
  assetType: order % 2 === 0 ? "fx" : "gpu",
  orderId: `o${order}`,
  userId,
  isExtension: name.startsWith("x"),
  head: `{"type":"${name}"`
})

/** A fan-out that serializes for nobody: it counts what is published, and hands it to the topic's listeners. */
class Topics {
  readonly subscribers = new Map<string, Set<Client>>()
  published = 0

  readonly publish = (topic: string, text: string): void => {
    this.published += 1
    for (const client of this.subscribers.get(topic) ?? []) client.heard.push(text)
  }
}

class Client implements Listener {
  readonly heard: Array<string> = []
  sent = 0
  readonly #topics: Topics
  constructor(topics: Topics) {
    this.#topics = topics
  }
  readonly send = (text: string) => {
    this.sent += 1
    this.heard.push(text)
  }
  readonly subscribe = (topic: string) => {
    const found = this.#topics.subscribers.get(topic) ?? new Set()
    this.#topics.subscribers.set(topic, found.add(this))
  }
  readonly unsubscribe = (topic: string) => void this.#topics.subscribers.get(topic)?.delete(this)
}

const tell = (feed: Feed, event: StreamEvent): ReadonlyArray<number> => [...feed.tell(event)]

const everything = Subscription.of({ sequence: true, channels: ["orders", "my"] }, "me")

describe("a feed", () => {
  it("serializes an event once for all equal subscriptions", () => {
    const topics = new Topics()
    const feed = new Feed("t", 0, topics.publish)
    const clients = Array.from({ length: 50 }, () => new Client(topics))
    for (const client of clients)
      feed.join(client, Subscription.of({ channels: ["orders"] }, null), { position: 0, prev: 0 })
    for (let seq = 1; seq <= 10; seq++) tell(feed, { seq, frames: [frame(1, "a")] })
    expect(topics.published).toBe(9)
    for (const client of clients) {
      expect(client.sent).toBe(1)
      expect(client.heard).toEqual(Array(10).fill('{"type":"a"}'))
    }
  })

  it("tells a newcomer from its place on, and others nothing of it", () => {
    const topics = new Topics()
    const feed = new Feed("t", 3, topics.publish)
    const [early, late, ahead] = [new Client(topics), new Client(topics), new Client(topics)]
    feed.join(early, everything, { position: 3, prev: 2 })
    tell(feed, { seq: 4, frames: [frame(1, "a")] })
    feed.join(late, everything, { position: 4, prev: 4 })
    feed.join(ahead, everything, { position: 5, prev: 5 })
    tell(feed, { seq: 5, frames: [frame(1, "b"), frame(1, "x")] })
    tell(feed, { seq: 6, frames: [frame(1, "c")] })
    const text = (name: string, seq: number, prev: number, frame = 1, frames = 1) =>
      `{"type":"${name}","seq":${seq},"prev":${prev},"frame":${frame},"frames":${frames}}`
    expect(early.heard).toEqual([text("a", 4, 2), text("b", 5, 4, 1, 2), text("x", 5, 4, 2, 2), text("c", 6, 5)])
    expect(late.heard).toEqual([text("b", 5, 4, 1, 2), text("x", 5, 4, 2, 2), text("c", 6, 5)])
    expect(ahead.heard).toEqual([text("c", 6, 5)])
  })

  it("tells a large event in pieces, which who joins between does not hear half of", () => {
    const topics = new Topics()
    const feed = new Feed("t", 0, topics.publish)
    const [client, between] = [new Client(topics), new Client(topics)]
    feed.join(client, everything, { position: 0, prev: 0 })
    const large = { ...frame(1, "a"), head: `{"type":"${"a".repeat(CHUNK_BYTES)}"` }
    const told = feed.tell({ seq: 1, frames: [large, large, large] })
    expect(told.next().value).toBeGreaterThan(CHUNK_BYTES)
    expect([feed.position, client.heard.length]).toEqual([1, 1])
    const group = feed.join(between, everything, { position: feed.position, prev: 1 })
    const beat = ({ position, prev }: Place): string => `${position} after ${prev}`
    feed.heartbeat(beat)
    expect([client.heard.pop(), between.heard.pop()]).toEqual(["0 after 0", "1 after 1"])
    const leaver = new Client(topics)
    feed.join(leaver, everything, { position: 0, prev: 0 })
    expect(feed.leave(leaver, group)).toEqual({ position: 0, prev: 0 })
    for (const _ of told);
    expect([client.heard.length, between.heard.length]).toEqual([3, 0])
    feed.heartbeat(beat)
    expect([client.heard.pop(), between.heard.pop()]).toEqual(["1 after 1", "1 after 1"])
  })

  it("gives who leaves in the middle of an event its place before that event, in each group", () => {
    const topics = new Topics()
    const feed = new Feed("t", 0, topics.publish)
    const [first, second] = [new Client(topics), new Client(topics)]
    const whole = feed.join(first, everything, { position: 0, prev: 0 })
    const large = { ...frame(1, "a"), head: `{"type":"${"a".repeat(CHUNK_BYTES)}"` }
    const told = feed.tell({ seq: 1, frames: [large, large] })
    told.next()
    const other = feed.join(second, Subscription.of({ channels: ["orders"] }, null), { position: 0, prev: 0 })
    expect(feed.leave(first, whole)).toEqual({ position: 0, prev: 0 })
    for (const _ of told);
    expect(second.heard).toHaveLength(2)
    expect(feed.leave(second, other)).toEqual({ position: 1, prev: 1 })
  })

  it("keeps the last events, without a gap", () => {
    const feed = new Feed("t", 10, () => {})
    for (let seq = 11; seq <= 10 + 3 * MAX_RECENT_EVENTS; seq++) tell(feed, { seq, frames: [] })
    const end = feed.position
    expect(feed.after(end)).toEqual([])
    expect(feed.after(end + 5)).toEqual([])
    expect(feed.after(end - 7)?.map(({ seq }) => seq)).toEqual(Array.from({ length: 7 }, (_, at) => end - 6 + at))
    expect(feed.after(end - MAX_RECENT_EVENTS)).toHaveLength(MAX_RECENT_EVENTS)
    expect(feed.after(10)).toBeUndefined()
    feed.skipTo(end + 100)
    expect([feed.after(end + 99), feed.after(end + 100)]).toEqual([undefined, []])
  })

  it("tells each listener exactly what it wants, in order, whoever comes and goes", () => {
    const wishes = [
      everything,
      Subscription.of({ sequence: true, channels: ["orders"], asset_type: ["fx"] }, null),
      Subscription.of({ sequence: true, order_id: ["o1", "o2"] }, null),
      Subscription.of({ channels: ["orders"] }, null),
      Subscription.of({ sequence: true, channels: ["my"] }, "you")
    ]
    const step = fc.oneof(
      {
        weight: 4,
        arbitrary: fc.record({
          _tag: fc.constant("tell" as const),
          frames: fc.array(
            fc
              .tuple(fc.nat(3), fc.constantFrom("a", "b", "xa"), fc.constantFrom(null, "me", "you"))
              .map(([order, name, user]) => frame(order, name, user === null ? "orders" : "my", user)),
            { maxLength: 3 }
          )
        })
      },
      {
        weight: 3,
        arbitrary: fc.record({
          _tag: fc.constant("join" as const),
          client: fc.nat(5),
          wish: fc.nat(4),
          ahead: fc.nat(2)
        })
      },
      { weight: 2, arbitrary: fc.record({ _tag: fc.constant("leave" as const), client: fc.nat(5) }) }
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const topics = new Topics()
        const feed = new Feed("t", 0, topics.publish)
        const seats = new Map<
          number,
          { group: Group; client: Client; expected: Array<string>; position: number; prev: number }
        >()
        let seq = 0
        for (const one of steps) {
          const seat = one._tag === "tell" ? undefined : seats.get(one.client)
          if (seat !== undefined && one._tag !== "tell") {
            expect(feed.leave(seat.client, seat.group)).toEqual({
              position: Math.max(seq, seat.position),
              prev: seat.prev
            })
            expect(seat.client.heard).toEqual(seat.expected)
            seats.delete(one.client)
          }
          if (one._tag === "join") {
            const client = new Client(topics)
            const place = { position: seq + one.ahead, prev: seq + one.ahead }
            seats.set(one.client, {
              client,
              expected: [],
              ...place,
              group: feed.join(client, wishes[one.wish]!, place)
            })
          }
          if (one._tag !== "tell") continue
          seq += 1
          tell(feed, { seq, frames: one.frames })
          for (const each of seats.values()) {
            const { subscription } = each.group
            const wanted = one.frames.filter((each) => subscription.wants(each))
            if (seq <= each.position || wanted.length === 0) continue
            for (const [index, { head }] of wanted.entries()) {
              const count = `"frame":${index + 1},"frames":${wanted.length}`
              const place = `,"seq":${seq},"prev":${each.prev},${count}`
              each.expected.push(`${head}${subscription.isSequenced ? place : ""}}`)
            }
            each.prev = seq
          }
        }
        for (const { client, expected } of seats.values()) expect(client.heard).toEqual(expected)
      }),
      property()
    )
  })
})
