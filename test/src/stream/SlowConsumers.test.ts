import { describe, expect, it } from "bun:test"
import {
  LOOK_BYTES,
  MAX_BUFFERED_BYTES,
  MAX_HELD_BYTES,
  MAX_SILENCE,
  type Reader,
  SlowConsumers
} from "../../../src/stream/SlowConsumers.ts"

class FakeReader implements Reader {
  buffered = 0
  readonly pings: Array<string> = []
  closed: number | undefined
  readonly getBufferedAmount = () => this.buffered
  readonly ping = (data: string) => this.pings.push(data)
  readonly close = (code: number) => {
    this.closed = code
    this.buffered = 0
  }
}

const watched = (isCatchingUp = () => false) => {
  const held: Array<number> = []
  const slow = new SlowConsumers((bytes) => void held.push(bytes))
  const reader = new FakeReader()
  let dropped = 0
  slow.watch(reader, isCatchingUp, () => {
    dropped += 1
  })
  return { slow, reader, held, dropped: () => dropped }
}

describe("slow consumers", () => {
  it("are closed once when too much waits for them", () => {
    const { dropped, reader, slow } = watched()
    reader.buffered = MAX_BUFFERED_BYTES
    slow.look(0)
    expect(reader.closed).toBeUndefined()
    reader.buffered += 1
    slow.look(0)
    slow.look(0)
    expect([reader.closed, dropped()]).toEqual([4408, 1])
  })

  it("are looked for each time that so much was told", () => {
    const { reader, slow } = watched()
    reader.buffered = MAX_BUFFERED_BYTES + 1
    slow.sent(LOOK_BYTES - 1, 0)
    expect(reader.closed).toBeUndefined()
    slow.sent(1, 0)
    expect(reader.closed).toBe(4408)
  })

  it("may catch up with much to read, but not without a sign of life", () => {
    const { reader, slow } = watched(() => true)
    reader.buffered = 10 * MAX_BUFFERED_BYTES
    slow.check(0)
    slow.check(MAX_SILENCE - 1)
    expect(reader.closed).toBeUndefined()
    slow.check(MAX_SILENCE)
    expect(reader.closed).toBe(4408)
  })

  it("are not those who answer the ping that was sent, whenever that is", () => {
    const { reader, slow } = watched()
    for (let round = 0; round < 30; round++) {
      slow.check((round * MAX_SILENCE) / 3)
      if (round % 3 === 2) slow.answered(reader, reader.pings.at(-1)!)
    }
    expect(reader.closed).toBeUndefined()
    expect(reader.pings).toHaveLength(10)
  })

  it("are those who send pongs that nobody asked for", () => {
    const { reader, slow } = watched()
    slow.check(0)
    for (let now = 1_000; now <= MAX_SILENCE; now += 1_000) {
      slow.answered(reader, "")
      slow.answered(reader, "none")
      slow.check(now)
    }
    expect(reader.closed).toBe(4408)
  })

  it("are accounted for, and after their end as long as the runtime holds what they did not read", () => {
    const { held, reader, slow } = watched()
    const other = new FakeReader()
    slow.watch(
      other,
      () => false,
      () => {}
    )
    reader.buffered = MAX_BUFFERED_BYTES
    other.buffered = 5
    slow.look(0)
    reader.buffered = MAX_HELD_BYTES
    slow.look(1_000)
    other.buffered = 0
    slow.look(15_999)
    slow.look(16_000)
    expect(reader.closed).toBe(4408)
    expect(held).toEqual([MAX_BUFFERED_BYTES + 5, MAX_HELD_BYTES + 5, MAX_HELD_BYTES, 0])
  })

  it("are forgotten when they go", () => {
    const { reader, slow } = watched()
    slow.forget(reader)
    reader.buffered = MAX_BUFFERED_BYTES + 1
    slow.look(0)
    slow.check(MAX_SILENCE * 2)
    expect([reader.closed, reader.pings]).toEqual([undefined, []])
  })
})
