import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { ASSET_TYPES, type AssetType } from "../../../engine/arena/AssetType.ts"
import { amountFromFine } from "../../../engine/arena/FinePrice.ts"
import { COMMODITIES, GPUS, INSTRUMENTS, instrumentOf } from "../../../engine/arena/Instrument.ts"
import type { Median } from "../../../engine/arena/Median.ts"
import {
  NOTIONAL_USD,
  orderIdOf,
  orderPrice,
  type OrderTemplate,
  orderTemplate
} from "../../../engine/arena/OrderTemplate.ts"
import { type Amount, fromUnits, MAX, ONE } from "../../../engine/money/Amount.ts"
import { dailyRates, keyed } from "../../lib/DailyRates.ts"
import { property } from "../../lib/Property.ts"

const openedAt = Date.parse("2026-11-21T11:30:00Z")
const day = 86_400_000
const closes = new Map<string, Amount>([
  ...[...dailyRates.closes].map(([asset, list]) => [asset, amountFromFine(list.at(-1)!)] as const),
  ...GPUS.map(({ asset, listPrice }) => [asset, listPrice] as const)
])
const mediansAt = (prices: ReadonlyMap<string, Amount>, safe = true): ReadonlyMap<string, Median> =>
  new Map([...prices].map(([asset, price]) => [asset, { asset, at: openedAt, price, safe }]))
const templateOf = (slot: number, assetType: AssetType, changes: Partial<Parameters<typeof orderTemplate>[0]> = {}) =>
  orderTemplate({
    hash: keyed("a"),
    slot,
    assetType,
    openedAt,
    medians: mediansAt(closes),
    history: dailyRates,
    ...changes
  })
const made = (slot: number, assetType: AssetType): OrderTemplate => templateOf(slot, assetType)!
const slots = fc.nat(2 ** 31)
const types = fc.constantFrom(...ASSET_TYPES)
const notional = ({ entryPrice, quantity }: OrderTemplate) => Number(entryPrice * quantity) / 1e12
const isRound = (quantity: bigint) => /^\d{1,2}0*$/.test(quantity.toString())

describe("OrderTemplate", () => {
  it("gives each slot and asset type an id of its own, the same each time, another under another key", () => {
    fc.assert(
      fc.property(fc.uniqueArray(slots, { minLength: 2, maxLength: 20 }), (list) => {
        const ids = list.flatMap((slot) => ASSET_TYPES.map((type) => orderIdOf(keyed("a"), slot, type)))
        expect(new Set(ids).size).toBe(ids.length)
        for (const id of ids) expect(id).toMatch(/^ord_[0-9a-f]{24}$/)
        expect(orderIdOf(keyed("b"), list[0]!, "fx")).not.toBe(orderIdOf(keyed("a"), list[0]!, "fx"))
        expect(orderIdOf(keyed("a"), list[0]!, "fx")).toBe(ids[ASSET_TYPES.indexOf("fx")]!)
      }),
      property()
    )
  })

  it("is a pure function of its input", () => {
    fc.assert(
      fc.property(slots, types, (slot, type) => expect(made(slot, type)).toEqual(made(slot, type))),
      property(4)
    )
  })

  it("is worth about 10,000 USD in a round lot", () => {
    fc.assert(
      fc.property(slots, types, (slot, type) => {
        const template = made(slot, type)
        expect(notional(template)).toBeGreaterThan(NOTIONAL_USD[0] * 0.95)
        expect(notional(template)).toBeLessThan(NOTIONAL_USD[1] * 1.05)
        expect(isRound(template.quantity)).toBe(true)
        expect(template).toMatchObject({ assetType: type, orderId: orderIdOf(keyed("a"), slot, type) })
      }),
      property(4)
    )
  })

  it("names what it trades", () => {
    for (let slot = 0; slot < 40; slot++) {
      const metal = made(slot, "commodity")
      const { name, unit } = instrumentOf(metal.asset)!
      expect(metal.details).toEqual({ symbol: metal.asset, name, unit })
      expect(made(slot, "fx").details).toEqual({ pair: made(slot, "fx").asset })
      const { asset, details, quantity } = made(slot, "gpu")
      const { provider, region } = GPUS.find((gpu) => gpu.asset === asset)!
      expect(details).toEqual({ model: asset, provider, region, hours: Number(quantity / ONE) })
      expect(quantity % ONE).toBe(0n)
    }
  })

  it("writes options with a premium of at least 1 USD that expire in 30 days or more", () => {
    fc.assert(
      fc.property(slots, fc.nat(400 * day), (slot, later) => {
        const at = openedAt + later
        const { asset, details, entryPrice, assetType } = templateOf(slot, "options", { openedAt: at })!
        expect(Object.keys(details)).toEqual(["underlying", "type", "strike", "expiry", "implied_volatility"])
        expect(COMMODITIES.map((commodity) => commodity.asset)).toContain(asset)
        expect(details["underlying"]).toBe(asset)
        expect(entryPrice >= ONE).toBe(true)
        expect(details["expiry"]).toMatch(/^\d{4}-\d{2}-\d{2}$/)
        expect(Date.parse(String(details["expiry"])) - at).toBeGreaterThanOrEqual(30 * day)
        expect(details["implied_volatility"]).toBeGreaterThan(0.05)
        expect(details["implied_volatility"]).toBeLessThan(2)
        expect(orderPrice({ assetType, details }, { at, price: closes.get(asset)! })).toBe(entryPrice)
      }),
      property(4)
    )
  })

  it("prices an option by its underlying, and everything else by itself", () => {
    fc.assert(
      fc.property(slots, types, fc.bigInt({ min: 1n, max: MAX }).map(fromUnits), (slot, type, price) => {
        if (type !== "options") expect(orderPrice(made(slot, type), { at: openedAt, price })).toBe(price)
      }),
      property()
    )
    const calls = Array.from({ length: 20 }, (_, slot) => made(slot, "options"))
    expect(new Set(calls.map(({ details }) => details["type"]))).toEqual(new Set(["call", "put"]))
    for (const option of calls) {
      const spot = closes.get(option.asset)!
      const higher = orderPrice(option, { at: openedAt, price: fromUnits((spot * 11n) / 10n) })
      expect(higher > option.entryPrice).toBe(option.details["type"] === "call")
      expect(orderPrice(option, { at: openedAt + 20 * day, price: spot }) < option.entryPrice).toBe(true)
    }
  })

  it("comes to offer everything", () => {
    const seen = new Set<string>()
    for (let slot = 0; slot < 120; slot++) for (const type of ASSET_TYPES) seen.add(made(slot, type).asset)
    expect(seen).toEqual(new Set(INSTRUMENTS.map(({ asset }) => asset)))
  })

  it("offers only what has a safe median, and nothing without any", () => {
    const gold = new Map([["XAU", closes.get("XAU")!]])
    for (let slot = 0; slot < 20; slot++) {
      expect(templateOf(slot, "commodity", { medians: mediansAt(gold) })?.asset).toBe("XAU")
      expect(templateOf(slot, "options", { medians: mediansAt(gold) })?.asset).toBe("XAU")
      expect(templateOf(slot, "fx", { medians: mediansAt(gold) })).toBeUndefined()
      expect(templateOf(slot, "commodity", { medians: mediansAt(closes, false) })).toBeUndefined()
    }
  })

  it("passes an underlying over whose option would cost less than 1 USD", () => {
    const cheap = new Map([
      ...COMMODITIES.map(({ asset }) => [asset, ONE] as const),
      ["ETH", closes.get("ETH")!] as const
    ])
    for (let slot = 0; slot < 20; slot++) {
      expect(templateOf(slot, "options", { medians: mediansAt(cheap) })?.asset).toBe("ETH")
    }
    const dust = mediansAt(new Map(COMMODITIES.map(({ asset }) => [asset, ONE])))
    expect(templateOf(1, "options", { medians: dust })).toBeUndefined()
  })

  it("offers whole hours of dear accelerators, and no more than an amount carries of the cheapest thing", () => {
    const at = (type: AssetType, price: Amount, slot: number) =>
      templateOf(slot, type, { medians: mediansAt(new Map(INSTRUMENTS.map(({ asset }) => [asset, price]))) })!
    for (let slot = 0; slot < 40; slot++) {
      expect(at("gpu", fromUnits(700n * ONE), slot).quantity % ONE).toBe(0n)
      expect(at("gpu", fromUnits(50_000n * ONE), slot).quantity).toBe(ONE)
      expect(at("commodity", fromUnits(1n), slot).quantity).toBe(MAX)
    }
  })

  it("keeps quantities within bounds at any price", () => {
    fc.assert(
      fc.property(slots, types, fc.bigInt({ min: 1n, max: MAX }).map(fromUnits), (slot, type, price) => {
        const medians = mediansAt(new Map(INSTRUMENTS.map(({ asset }) => [asset, price])))
        const template = templateOf(slot, type, { medians })
        if (template === undefined) return expect(type).toBe("options")
        expect(template.quantity > 0n && template.quantity <= MAX).toBe(true)
        expect(template.entryPrice * template.quantity <= MAX * ONE).toBe(true)
      }),
      property(4)
    )
  })
})
