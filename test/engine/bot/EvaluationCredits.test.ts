import { describe, expect, it } from "bun:test"
import { Result } from "effect"
import fc from "fast-check"
import {
  chargeOf,
  creditCommands,
  creditsFor,
  creditsOf,
  CREDITS,
  EVALUATION_PRICE,
  periodEnd,
  periodOf
} from "../../../engine/bot/EvaluationCredits.ts"
import type { Charge, EvaluationCreditsEvent } from "../../../engine/bot/EvaluationCreditsEvent.ts"
import { Book } from "../../../engine/ledger/Book.ts"
import { custodyOf, mint, walletOf } from "../../../engine/ledger/Funding.ts"
import { type Amount, fromUnits, ONE } from "../../../engine/money/Amount.ts"
import { property } from "../../lib/Property.ts"

const credits = (whole: number): Amount => fromUnits(BigInt(whole) * ONE)

type Step =
  | { readonly act: "grant" | "buy" | "hold"; readonly amount: number }
  | { readonly act: "capture" | "release"; readonly which: number }
  | { readonly act: "lapse" }

const steps: fc.Arbitrary<ReadonlyArray<Step>> = fc.array(
  fc.oneof(
    fc.record({ act: fc.constantFrom("grant" as const, "buy" as const), amount: fc.integer({ min: 1, max: 20 }) }),
    fc.record({ act: fc.constant("hold" as const), amount: fc.integer({ min: 1, max: 15 }) }),
    fc.record({ act: fc.constantFrom("capture" as const, "release" as const), which: fc.nat(30) }),
    fc.constant({ act: "lapse" as const })
  ),
  { maxLength: 60, size: "max" }
)

/** One company's credits in plain numbers. */
class NaiveCredits {
  free = 0
  paid = 0
  used = 0
  readonly held = new Map<string, { free: number; paid: number }>()

  get heldFree(): number {
    return [...this.held.values()].reduce((sum, { free }) => sum + free, 0)
  }

  get heldPaid(): number {
    return [...this.held.values()].reduce((sum, { paid }) => sum + paid, 0)
  }
}

/** The same company's credits as events and the ledger have them, beside the naive ones. */
class Credits {
  readonly model = new NaiveCredits()
  readonly book = new Book([])
  #events = 0

  constructor() {
    Result.getOrThrow(this.book.apply([mint({ id: "1", owner: "usr", asset: "USD", amount: credits(1_000_000) })]))
  }

  step(step: Step): void {
    if (step.act === "grant") this.#grant(step.amount)
    else if (step.act === "buy") this.#buy(step.amount)
    else if (step.act === "hold") this.#hold(step.amount)
    else if (step.act === "lapse") this.#lapse()
    else this.#end(step.act, step.which)
  }

  check(): void {
    const { model } = this
    const free = this.book.account(creditsOf("cmp", "free"))
    const paid = this.book.account(creditsOf("cmp", "paid"))
    expect([free.balance, free.held]).toEqual([credits(model.free + model.heldFree), credits(model.heldFree)])
    expect([paid.balance, paid.held]).toEqual([credits(model.paid + model.heldPaid), credits(model.heldPaid)])
    expect(free.balance + paid.balance + this.book.account(custodyOf(CREDITS)).balance).toBe(0n)
  }

  #grant(amount: number): void {
    this.#take({ _tag: "CreditsGranted", ...this.#who(), period: `${this.#events}`, credits: credits(amount) })
    this.model.free += amount
  }

  #buy(amount: number): void {
    const usd = fromUnits(credits(amount) / 100n)
    const bought = { topUpId: `${this.#events}`, botId: "bot", userId: "usr", usd, automatic: false }
    this.#take({ _tag: "CreditsBought", ...this.#who(), ...bought, credits: creditsFor(usd) ?? credits(0) })
    this.model.paid += amount
  }

  #hold(price: number): void {
    const { model } = this
    const chargeId = `${this.#events}`
    const charge = chargeOf({ chargeId, companyId: "cmp", botId: "bot" }, credits(price), credits(model.free))
    const free = Math.min(price, model.free)
    const taken = this.#take({ _tag: "CreditsHeld", ...this.#who(), charge })
    expect(taken).toBe(price <= model.free + model.paid)
    if (!taken) return
    model.free -= free
    model.paid -= price - free
    model.held.set(chargeId, { free, paid: price - free })
  }

  #end(act: "capture" | "release", which: number): void {
    const { model } = this
    const chargeId = [...model.held.keys()][which % Math.max(1, model.held.size)]
    if (chargeId === undefined) return
    const { free, paid } = model.held.get(chargeId) ?? { free: 0, paid: 0 }
    const charge: Charge = { chargeId, companyId: "cmp", botId: "bot", free: credits(free), paid: credits(paid) }
    const _tag = act === "capture" ? "CreditsCaptured" : "CreditsReleased"
    this.#take({ _tag, ...this.#who(), charge })
    model.held.delete(chargeId)
    if (act === "capture") model.used += free + paid
    else {
      model.free += free
      model.paid += paid
    }
    if (free + paid > 0) expect(this.#take({ _tag, ...this.#who(), charge })).toBe(false)
  }

  #lapse(): void {
    const { model } = this
    const charges = [...model.held].filter(([, { free }]) => free > 0).map(([chargeId]) => chargeId)
    const lapsed = credits(model.free + model.heldFree)
    this.#take({ _tag: "CreditsLapsed", ...this.#who(), period: `${this.#events}`, credits: lapsed, charges })
    model.free = 0
    for (const [chargeId, { paid }] of model.held) model.held.set(chargeId, { free: 0, paid })
  }

  #who() {
    this.#events += 1
    return { at: this.#events, companyId: "cmp" }
  }

  #take(event: EvaluationCreditsEvent): boolean {
    return Result.isSuccess(this.book.apply(creditCommands(event)))
  }
}

describe("evaluation credits", () => {
  it("add up whatever is granted, bought, held, captured, released and lapses", () => {
    fc.assert(
      fc.property(steps, (list) => {
        const company = new Credits()
        for (const step of list) {
          company.step(step)
          company.check()
        }
      }),
      property()
    )
  })

  it("take free ones before paid ones", () => {
    const who = { chargeId: "1", companyId: "cmp", botId: "bot" }
    expect(chargeOf(who, credits(3), credits(5))).toMatchObject({ free: credits(3), paid: credits(0) })
    expect(chargeOf(who, credits(3), credits(1))).toMatchObject({ free: credits(1), paid: credits(2) })
    expect(EVALUATION_PRICE).toBe(credits(1))
  })

  it("cost a hundredth of a dollar each, in whole cents", () => {
    expect(creditsFor(ONE)).toBe(credits(100))
    expect(creditsFor(fromUnits(10_000n))).toBe(credits(1))
    for (const bad of [0n, 1n, 9_999n, 10_001n]) expect(creditsFor(fromUnits(bad))).toBeUndefined()
  })

  it("are sold for the buyer's USD", () => {
    const book = new Book([])
    const bought = { topUpId: "1", botId: "bot", userId: "usr", usd: ONE, credits: credits(100), automatic: true }
    const commands = creditCommands({ _tag: "CreditsBought", at: 1, companyId: "cmp", ...bought })
    expect(Result.isFailure(book.apply(commands))).toBe(true)
    Result.getOrThrow(book.apply([mint({ id: "1", owner: "usr", asset: "USD", amount: ONE }), ...commands]))
    expect(book.account(walletOf("usr", "USD")).balance).toBe(fromUnits(0n))
  })

  it("belong to a calendar month", () => {
    const at = Date.UTC(2026, 11, 31, 23, 59, 59, 999)
    expect(periodOf(at)).toBe("2026-12")
    expect(periodEnd(at)).toBe(at + 1)
    expect(periodOf(periodEnd(at))).toBe("2027-01")
  })
})
