import { Result } from "effect"
import { readFileSync } from "node:fs"
import { createHmac } from "node:crypto"
import type { KeyedHash } from "../../engine/arena/KeyedHash.ts"
import { parseDailyRates, type PriceHistory } from "../../engine/arena/PriceHistory.ts"

/** The daily rates that the project ships. */
export const dailyRatesText = readFileSync(new URL("../../data/daily-rates-per-usd.csv", import.meta.url), "utf8")

export const dailyRates: PriceHistory = Result.getOrThrow(parseDailyRates(dailyRatesText))

/** HMAC-SHA-256 under a key made of a word. */
export const keyed =
  (key: string): KeyedHash =>
  (label) =>
    createHmac("sha256", key).update(label).digest()
