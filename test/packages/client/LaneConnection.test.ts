import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import type { ClientPlatform, ClientSocket } from "../../../packages/client/src/ClientPlatform.ts"
import { FastLaneClient } from "../../../packages/client/src/FastLaneClient.ts"
import { property } from "../../lib/Property.ts"
import { VirtualTime } from "../../lib/VirtualTime.ts"

type Listener = (event: never) => void

interface Message {
  readonly _tag: string
  readonly id: number
  readonly requestId: number
  readonly tag: string
  readonly payload: { readonly resume?: { readonly seq: number }; readonly idempotency_id?: string } | null
}

/** A stream of one connection: what was told, and whether a piece waits for its answer. */
interface Told {
  seq: number
  isOwed: boolean
}

const EPOCH = "epoch-1"

/** A server of the fast lane's protocol that misbehaves when told to. */
class FakeLane {
  readonly time = new VirtualTime()
  readonly platform: Partial<ClientPlatform>
  readonly made = new Map<string, number>()
  sockets: Array<FakeSocket> = []
  events = 0
  /** Whether connections are not opened, and whether the next piece lacks a frame. */
  isAway = false
  losesNext = false
  /** Whether the next answer to a commitment is never sent. */
  forgets = false

  constructor() {
    const accept = (socket: FakeSocket) => this.sockets.push(socket)
    const lane = () => this
    this.platform = {
      WebSocket: class extends FakeSocket {
        constructor() {
          super(lane())
          accept(this)
        }
      },
      now: this.time.now,
      random: () => 0.5,
      after: this.time.after
    }
  }

  get socket(): FakeSocket {
    return this.sockets.at(-1)!
  }

  happen(count: number): void {
    this.events += count
    for (const socket of this.sockets) socket.pump()
  }
}

class FakeSocket implements ClientSocket {
  readonly #lane: FakeLane
  readonly #listeners = new Map<string, Listener>()
  readonly #streams = new Map<number, Told>()
  isOpen = false

  constructor(lane: FakeLane) {
    this.#lane = lane
    lane.time.after(1, () => {
      if (lane.isAway) return this.emit("close", { code: 1006 })
      this.isOpen = true
      this.emit("open", {})
    })
  }

  addEventListener(type: string, listener: Listener): void {
    this.#listeners.set(type, listener)
  }

  emit(type: string, event: object): void {
    this.#listeners.get(type)?.(event as never)
  }

  close(): void {
    this.isOpen = false
  }

  /** The connection is lost. */
  end(code: number): void {
    if (!this.isOpen) return
    this.isOpen = false
    this.emit("close", { code })
  }

  send(text: string): void {
    const message: Message = JSON.parse(text)
    if (!this.isOpen) return
    if (message._tag === "Ping") this.#say({ _tag: "Pong" })
    if (message._tag === "Interrupt") this.#streams.delete(message.requestId)
    if (message._tag === "Ack") this.#answered(message.requestId)
    if (message._tag === "Request") this.#asked(message)
  }

  #asked({ id, payload, tag }: Message): void {
    if (tag === "subscribe") {
      const seq = payload?.resume?.seq ?? this.#lane.events
      this.#streams.set(id, { seq, isOwed: true })
      return this.#say({ _tag: "Chunk", requestId: id, values: [frame("subscribed", { epoch: EPOCH, seq })] })
    }
    const key = payload?.idempotency_id ?? ""
    if (tag === "commit" && !this.#lane.made.has(key)) this.#lane.made.set(key, this.#lane.made.size + 1)
    if (tag === "commit" && this.#lane.forgets) {
      this.#lane.forgets = false
      return this.end(1006)
    }
    this.#say({ _tag: "Exit", requestId: id, exit: { _tag: "Success", value: { number: this.#lane.made.get(key) } } })
  }

  #answered(id: number): void {
    const told = this.#streams.get(id)
    if (told === undefined) return
    told.isOwed = false
    this.pump()
  }

  /** Tells at most three events to each stream whose reader waits. */
  pump(): void {
    for (const [id, told] of this.#streams) {
      if (!this.isOpen || told.isOwed || told.seq === this.#lane.events) continue
      const count = Math.min(3, this.#lane.events - told.seq)
      const values = Array.from({ length: count }, (_, index) => {
        const seq = told.seq + index + 1
        return { ...frame("order_praised", { seq }), seq, prev: seq - 1, frame: 1, frames: 1 }
      })
      told.seq += count
      told.isOwed = true
      if (this.#lane.losesNext && values.length > 1) values.splice(0, 1)
      this.#lane.losesNext = false
      this.#say({ _tag: "Chunk", requestId: id, values })
    }
  }

  #say(message: object): void {
    this.emit("message", { data: JSON.stringify(message) })
  }
}

const frame = (type: string, data: object) => ({ type, data, timestamp: "2026-01-01T00:00:00.000Z" })

/** Lets whatever waits for a promise go on. */
const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 30; turn++) await Promise.resolve()
}

/** What may happen between the two. */
const anyAct: fc.Arbitrary<(lane: FakeLane) => void> = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 1, max: 7 }).map((count) => (lane: FakeLane) => lane.happen(count)) },
  { weight: 6, arbitrary: fc.nat(4_000).map((millis) => (lane: FakeLane) => lane.time.pass(millis)) },
  { weight: 3, arbitrary: fc.constantFrom(1001, 1006, 1008).map((code) => (lane: FakeLane) => lane.socket.end(code)) },
  { weight: 2, arbitrary: fc.boolean().map((isAway) => (lane: FakeLane) => void (lane.isAway = isAway)) },
  { weight: 2, arbitrary: fc.constant((lane: FakeLane) => void (lane.losesNext = true)) },
  { weight: 2, arbitrary: fc.constant((lane: FakeLane) => void (lane.forgets = true)) }
)

const ITEM = { order_id: "ord_1", proposed_entry_price: 1, expected_exit_price: 2, quantity: 1 }

describe("LaneConnection", () => {
  it("tells every event once and in order, and makes each commitment once, whatever happens in between", () =>
    fc.assert(
      fc.asyncProperty(fc.array(anyAct, { maxLength: 60, size: "max" }), async (acts) => {
        const lane = new FakeLane()
        const client = new FastLaneClient({
          url: "http://arena.example",
          token: "token",
          timeout: 10_000_000,
          platform: lane.platform
        })
        const seqs: Array<number> = []
        const reading = (async () => {
          for await (const item of client.subscribe({})) if (item.kind === "event") seqs.push(item.position.seq)
        })()
        const next = async (act: (lane: FakeLane) => void): Promise<void> => {
          act(lane)
          await settle()
        }
        for (let turn = 0; turn < 3; turn++) await next(({ time }) => time.pass(10))
        const commits: Array<Promise<unknown>> = []
        for (const [index, act] of acts.entries()) {
          if (index % 5 === 0) commits.push(client.commit({ ...ITEM, idempotency_id: `id-${index}` }))
          await next(act)
        }
        await next((one) => void (one.isAway = false))
        await next((one) => one.happen(1))
        for (let turn = 0; turn < 60; turn++) await next(({ time }) => time.pass(1_000))
        expect(seqs).toEqual(Array.from({ length: lane.events }, (_, index) => index + 1))
        const receipts = (await Promise.all(commits)) as ReadonlyArray<{ readonly number: number }>
        expect(receipts.map(({ number }) => number)).toEqual(receipts.map((_, index) => index + 1))
        expect(lane.made.size).toBe(receipts.length)
        await client.close()
        await reading
      }),
      property(20)
    ))

  it("gives up a server that says nothing", async () => {
    const lane = new FakeLane()
    const statuses: Array<string | undefined> = []
    const client = new FastLaneClient({
      url: "http://arena.example",
      token: "token",
      onStatus: (status, why) => void statuses.push(why ?? status),
      platform: lane.platform
    })
    await settle()
    lane.time.pass(10)
    Object.assign(lane.socket, { send: () => {} })
    lane.time.pass(30_000)
    expect(statuses).toContain("silence")
    await client.close()
  })
})
