import { describe, expect, it } from "bun:test"
import {
  LINGERS,
  LiveArena,
  MAX_HAPPENINGS,
  MAX_SETTLED,
  TOLD_EVERY
} from "../../../../../src/dashboard/app/arena/LiveArena.ts"
import { FakeArena } from "../../../../lib/FakeArena.ts"

const fixture = () => {
  const arena = new FakeArena()
  const { after, now } = arena.time
  const live = new LiveArena({ url: "http://arena.example", now, after, platform: arena.platform })
  const seen = { times: 0 }
  const listen = () => live.subscribe(() => void (seen.times += 1))
  const settle = () => {
    arena.time.pass(10)
    arena.socket.deliver(Infinity)
    arena.time.pass(TOLD_EVERY)
  }
  return { arena, live, seen, listen, settle }
}

const price = (arena: FakeArena, at: string, value: number) =>
  arena.socket.emit("message", {
    data: JSON.stringify({
      type: "price_update",
      data: { asset_type: "fx", asset: "EUR/USD", price: value, source: "test" },
      timestamp: at
    })
  })

describe("LiveArena", () => {
  it("does nothing while nobody listens", () => {
    const { arena, live } = fixture()
    expect(arena.sockets).toEqual([])
    expect(live.state()).toMatchObject({ status: "idle", happenings: [] })
  })

  it("shows the orders and what happens to them", () => {
    const { arena, listen, live, settle } = fixture()
    arena.openOrder("a")
    listen()
    settle()
    expect(live.state().status).toBe("live")
    arena.bid("a")
    arena.openOrder("b")
    settle()
    expect([...live.state().orders.keys()]).toEqual(["a", "b"])
    expect(live.state().orders.get("a")?.commitments).toHaveLength(1)
    expect(live.state().happenings.map(({ kind }) => kind)).toEqual(["opened", "bid"])
    arena.settle("a")
    settle()
    expect(live.state().orders.get("a")?.status).toBe("settled")
  })

  it("tells of many changes once, and hands out the same state between", () => {
    const { arena, listen, live, seen, settle } = fixture()
    listen()
    settle()
    const before = seen.times
    for (let bid = 0; bid < 100; bid++) arena.bid("a")
    arena.socket.deliver(Infinity)
    const state = live.state()
    expect(state.happenings).toEqual([])
    arena.time.pass(TOLD_EVERY)
    expect(seen.times).toBe(before + 1)
    expect(live.state()).toBe(live.state())
    expect(live.state().happenings).toHaveLength(MAX_HAPPENINGS)
  })

  it("keeps prices in order, and how far the server's clock is ahead", () => {
    const { arena, listen, live, settle } = fixture()
    listen()
    settle()
    const behind = arena.time.now()
    price(arena, new Date(behind + 4_990).toISOString(), 1.1)
    price(arena, new Date(behind + 5_000).toISOString(), 1.2)
    price(arena, new Date(behind + 4_000).toISOString(), 9)
    settle()
    expect(
      live
        .state()
        .prices.get("EUR/USD")
        ?.map((point) => point.price)
    ).toEqual([1.1, 1.2])
    expect(live.state().ahead).toBe(5_000)
  })

  it("forgets the orders that settled first", () => {
    const { arena, listen, live, settle } = fixture()
    listen()
    for (let order = 0; order < MAX_SETTLED + 5; order++) {
      arena.openOrder(`o${order}`)
      settle()
      arena.settle(`o${order}`)
      settle()
    }
    expect(live.state().orders.size).toBe(MAX_SETTLED)
  })

  it("stays connected from page to page, and leaves when nobody looks", () => {
    const { arena, listen, live, settle } = fixture()
    const leave = listen()
    settle()
    leave()
    arena.time.pass(LINGERS / 2)
    const leaveAgain = listen()
    arena.time.pass(LINGERS)
    expect([arena.sockets.length, live.state().status]).toEqual([1, "live"])
    leaveAgain()
    arena.time.pass(LINGERS + TOLD_EVERY)
    expect([arena.socket.isOpen, live.state().status]).toEqual([false, "idle"])
    listen()
    settle()
    expect([arena.sockets.length, live.state().status]).toEqual([2, "live"])
  })
})
