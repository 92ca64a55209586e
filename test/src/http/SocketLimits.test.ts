import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { ApiError } from "../../../src/api/ApiError.ts"
import {
  ALLOWANCES,
  FRAME_COST,
  MAX_ADDRESS_SOCKETS,
  MAX_COMPANY_SOCKETS,
  MAX_COMPANY_STREAMS,
  MAX_SOCKETS,
  RESERVED_SOCKETS,
  type SocketHolder,
  SocketLimits,
  type SocketPlace
} from "../../../src/http/SocketLimits.ts"
import { property } from "../../lib/Property.ts"

const anonymous = (n: number): SocketHolder => ({ caller: `address:${n}`, companyId: undefined })
const user = (n: number, company: number): SocketHolder => ({ caller: `user:${n}`, companyId: `com_${company}` })

const admitted = (limits: SocketLimits, holder: SocketHolder, now = 0): SocketPlace => {
  const place = limits.admit(holder, now)
  if (place instanceof ApiError) throw place
  return place
}

const codeOf = (outcome: object | undefined) => (outcome instanceof ApiError ? outcome.code : undefined)

/** The connections by number, and how many of each holder there are on paper. */
class PaperLimits {
  readonly held = new Map<number, SocketHolder>()

  isFull(holder: SocketHolder): boolean {
    const like = [...this.held.values()].filter(({ caller, companyId }) =>
      holder.companyId === undefined ? caller === holder.caller : companyId === holder.companyId
    )
    return like.length >= (holder.companyId === undefined ? MAX_ADDRESS_SOCKETS : MAX_COMPANY_SOCKETS)
  }
}

describe("SocketLimits", () => {
  it("keep a tenth of all connections for who is signed in, however many addresses come", () => {
    const limits = new SocketLimits(true)
    const most = MAX_SOCKETS - RESERVED_SOCKETS
    for (let n = 0; n < most; n++) admitted(limits, anonymous(n % 500))
    expect(codeOf(limits.admit(anonymous(1_000), 0))).toBe("unavailable")
    for (let n = 0; n < RESERVED_SOCKETS; n++) admitted(limits, user(n, n % 100))
    expect(limits.isFull).toBe(true)
    expect(codeOf(limits.admit(user(1, 1), 0))).toBe("unavailable")
  })

  it("count each address and each company as a list of the open connections does, whoever comes, moves and leaves", () => {
    const holder = fc.oneof(
      fc.constantFrom(1, 2).map(anonymous),
      fc.tuple(fc.constantFrom(1, 2, 3), fc.constantFrom(1, 2)).map(([n, company]) => user(n, company))
    )
    const step = fc.record({
      act: fc.constantFrom("come", "come", "come", "move", "leave"),
      holder,
      which: fc.nat(400),
      many: fc.constantFrom(1, 40, 150)
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        const limits = new SocketLimits(true)
        const paper = new PaperLimits()
        const places = new Map<number, SocketPlace>()
        let made = 0
        const come = (holder: SocketHolder): void => {
          const isRefused = paper.isFull(holder)
          const place = limits.admit(holder, 0)
          expect(codeOf(place)).toBe(isRefused ? "rate_limited" : undefined)
          if (place instanceof ApiError) return
          made += 1
          places.set(made, place)
          paper.held.set(made, holder)
        }
        for (const { act, holder, many, which } of steps) {
          const id = [...places.keys()][which % Math.max(1, places.size)] ?? 0
          const before = paper.held.get(id)
          if (act === "come") for (let n = 0; n < many; n++) come(holder)
          if (before === undefined || act === "come") continue
          if (act === "leave") {
            places.get(id)?.leave(0)
            places.get(id)?.leave(0)
            places.delete(id)
            paper.held.delete(id)
          } else {
            const isOwn = before.companyId === holder.companyId && holder.companyId !== undefined
            const isRefused = !isOwn && before.caller !== holder.caller && paper.isFull(holder)
            if (holder.companyId === undefined) continue
            expect(codeOf(places.get(id)?.move(holder, 0))).toBe(isRefused ? "rate_limited" : undefined)
            if (!isRefused) paper.held.set(id, holder)
          }
        }
        for (const place of places.values()) place.leave(0)
        for (const holder of [anonymous(1), user(1, 1)]) {
          for (let n = 0; n < MAX_ADDRESS_SOCKETS; n++) admitted(limits, holder)
        }
      }),
      property(4)
    )
  })

  it("let the connections of a caller send what one may, however many they are, and others undisturbed", () => {
    const limits = new SocketLimits(true)
    const { bytes, messages } = ALLOWANCES.anonymous
    const places = Array.from({ length: 8 }, () => admitted(limits, anonymous(1)))
    const frame = bytes.burst / 8 - FRAME_COST
    expect(places.map((place) => place.takeFrame(frame, 0))).toEqual(places.map(() => true))
    expect(places.map((place) => place.takeFrame(0, 0))).toEqual(places.map(() => false))
    expect(places.map((place) => place.takeMessages(messages.burst / 8, 0))).toEqual(places.map(() => true))
    expect(places[0]?.takeMessages(1, 0)).toBe(false)
    expect(admitted(limits, anonymous(2)).takeFrame(frame, 0)).toBe(true)
    expect(places[0]?.takeFrame(bytes.perSecond - FRAME_COST, 1_000)).toBe(true)
    expect(places[0]?.takeMessages(messages.perSecond + 1, 1_000)).toBe(false)
  })

  it("take a frame of a mebibyte from who is signed in, and from nobody else", () => {
    const limits = new SocketLimits(true)
    expect(admitted(limits, user(1, 1)).takeFrame(1_048_576, 0)).toBe(true)
    expect(admitted(limits, anonymous(1)).takeFrame(1_048_576, 0)).toBe(false)
  })

  it("give nobody a new budget for coming again, and forget budgets that are whole", () => {
    const limits = new SocketLimits(true)
    const place = admitted(limits, anonymous(1))
    expect(place.takeMessages(ALLOWANCES.anonymous.messages.burst, 0)).toBe(true)
    place.leave(0)
    const again = admitted(limits, anonymous(1), 10)
    expect(again.takeMessages(2, 10)).toBe(false)
    again.leave(10)
    for (let n = 0; n < 1_000; n++) admitted(limits, anonymous(n + 2), 20).leave(20)
    expect(limits.remembered).toBe(1_001)
    admitted(limits, anonymous(5_000), 60_000).leave(60_000)
    expect(limits.remembered).toBe(1)
  })

  it("bound the streams of a company, and give them back with the connection", () => {
    const limits = new SocketLimits(true)
    const [first, second] = [admitted(limits, user(1, 1)), admitted(limits, user(2, 1))]
    for (let n = 0; n < MAX_COMPANY_STREAMS; n++) expect(first.takeStream()).toBe(true)
    expect(second.takeStream()).toBe(false)
    first.endStream()
    expect([second.takeStream(), second.takeStream()]).toEqual([true, false])
    first.leave(0)
    expect(second.takeStream()).toBe(true)
  })

  it("bound all connections alone where they are off", () => {
    const limits = new SocketLimits(false)
    const place = admitted(limits, anonymous(1))
    for (let n = 1; n < 1_000; n++) admitted(limits, anonymous(1))
    expect([place.takeFrame(1e9, 0), place.takeMessages(1e9, 0)]).toEqual([true, true])
  })
})
