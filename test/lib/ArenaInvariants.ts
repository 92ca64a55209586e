import { expect } from "bun:test"
import { type Commitment, collateralHold } from "../../engine/arena/Commitment.ts"
import { type OrderStatus, ORDER_STATUSES } from "../../engine/arena/Order.ts"
import { type AccountId, accountParts } from "../../engine/ledger/Account.ts"
import type { HoldRecord } from "../../engine/ledger/Book.ts"
import type { ArenaWorld } from "./ArenaWorld.ts"

const NEXT: Readonly<Record<Commitment["status"], ReadonlyArray<Commitment["status"]>>> = {
  active: ["active", "won", "lost"],
  won: ["won", "settled"],
  lost: ["lost"],
  settled: ["settled"]
}

const sum = (amounts: Iterable<bigint>): bigint => {
  let total = 0n
  for (const amount of amounts) total += amount
  return total
}

/** What must hold of an order and its ledger after every step, seen from outside. */
export class ArenaInvariants {
  #status: OrderStatus = "open"
  #commitments = new Map<string, Commitment>()
  #holds = new Map<string, HoldRecord>()

  check(world: ArenaWorld): void {
    this.#money(world)
    this.#locks(world)
    this.#oneWay(world)
  }

  #money({ journal: { book } }: ArenaWorld): void {
    const totals = new Map<string, bigint>()
    for (const { id, balance, held } of book.accounts.values()) {
      const { asset, kind } = accountParts(id)
      totals.set(asset, (totals.get(asset) ?? 0n) + balance)
      expect(kind === "custody" ? held === 0n : held >= 0n && held <= balance).toBe(true)
    }
    for (const total of totals.values()) expect(total).toBe(0n)
  }

  #locks({ terms, state, journal: { book } }: ArenaWorld): void {
    const commitments = [...state.commitments.values()]
    const locked = commitments.filter(({ status }) => status === "active" || status === "won")
    const held = (account: AccountId): bigint => book.account(account).held
    const accounts = new Set(commitments.map(({ trader }) => trader.account))
    const allowances = new Set(commitments.flatMap(({ trader: { allowance } }) => allowance ?? []))
    for (const id of accounts) {
      expect(held(id)).toBe(sum(locked.filter(({ trader }) => trader.account === id).map((one) => one.collateral)))
    }
    for (const id of allowances) {
      expect(held(id)).toBe(sum(locked.filter(({ trader }) => trader.allowance === id).map((one) => one.collateral)))
    }
    const won = locked.find(({ status }) => status === "won")
    const full = (terms.entryPrice * terms.quantity * 381n + 9_999_999_999n) / 10_000_000_000n
    const escrow = state.status === "settled" ? 0n : state.choice === null ? full : (won?.collateral ?? 0n)
    expect(held(terms.maker.account)).toBe(escrow)
  }

  #oneWay({ terms, state, journal: { book, commands } }: ArenaWorld): void {
    expect(ORDER_STATUSES.indexOf(state.status) >= ORDER_STATUSES.indexOf(this.#status)).toBe(true)
    for (const [id, before] of this.#commitments) {
      const now = state.commitments.get(id)!
      expect(NEXT[before.status]).toContain(now.status)
      if (before.status === "lost" || before.status === "settled") expect(now).toEqual(before)
    }
    for (const one of state.commitments.values()) {
      expect(one.acceptedAt < terms.expiryAt).toBe(true)
      expect(one.status === "lost").toBe(one.reason !== null)
      expect(one.profit <= one.collateral && one.profit >= -one.collateral).toBe(true)
      if (one.status !== "settled") expect(one.profit as bigint).toBe(0n)
      const hold = book.holds.get(collateralHold(one.commitmentId))
      expect(hold?.state._tag === "Pending").toBe(one.status === "active" || one.status === "won")
    }
    expect(
      [...state.commitments.values()].filter(({ status }) => status === "won" || status === "settled").length <= 1
    ).toBe(true)
    for (const [id, before] of this.#holds) {
      if (before.state._tag !== "Pending") expect(book.holds.get(id)).toEqual(before)
    }
    const resolved = commands.flatMap((one) => (one._tag === "Release" || one._tag === "Capture" ? [one.hold] : []))
    expect(new Set(resolved).size).toBe(resolved.length)
    this.#status = state.status
    this.#commitments = new Map(state.commitments)
    this.#holds = new Map(book.holds)
  }
}
