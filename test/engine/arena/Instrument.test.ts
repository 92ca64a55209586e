import { describe, expect, it } from "bun:test"
import { COMMODITIES, CURRENCIES, GPUS, INSTRUMENTS, instrumentOf, RATED } from "../../../engine/arena/Instrument.ts"
import { amountFromFine } from "../../../engine/arena/FinePrice.ts"
import { dailyRates, dailyRatesText } from "../../lib/DailyRates.ts"

describe("Instrument", () => {
  it("covers every column of the daily rates and nothing else", () => {
    const [, ...columns] = (dailyRatesText.split("\n")[0] ?? "").trim().split(",")
    expect(RATED.map(({ code }) => code)).toEqual(columns)
    expect(CURRENCIES.length + COMMODITIES.length).toBe(14)
  })

  it("names each asset once and finds it by name", () => {
    expect(new Set(INSTRUMENTS.map(({ asset }) => asset)).size).toBe(INSTRUMENTS.length)
    for (const instrument of INSTRUMENTS) expect(instrumentOf(instrument.asset)).toBe(instrument)
    expect(instrumentOf("DOGE")).toBeUndefined()
  })

  it("quotes per 100 exactly the currencies worth less than 0.1 USD, so that 10⁻⁶ resolves every price", () => {
    for (const { asset, per } of CURRENCIES) {
      const close = Number(dailyRates.closes.get(asset)?.at(-1)) / 1e12
      expect(per).toBe(close / per < 0.1 ? 100 : 1)
      expect(amountFromFine(dailyRates.closes.get(asset)!.at(-1)!) > 100_000n).toBe(true)
    }
    expect(instrumentOf("JPY/USD")).toMatchObject({ unit: "100 JPY", per: 100 })
    expect(instrumentOf("EUR/USD")).toMatchObject({ unit: "EUR", per: 1 })
  })

  it("lists accelerators with a positive price, a provider and a region", () => {
    for (const { listPrice, provider, region } of GPUS) {
      expect(listPrice > 0n && provider !== "" && region !== "").toBe(true)
    }
  })
})
