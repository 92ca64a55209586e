import { Result } from "effect"
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { parseDailyRates, type PriceHistory } from "../engine/arena/PriceHistory.ts"
import type { SimulationHashing } from "../engine/simulation/SimulationHashing.ts"
import { link } from "../src/database/ChainLink.ts"

/** Refusals are values here: nobody reads where they were made, and telling that costs more than the refusal. */
Error.stackTraceLimit = 0

/** SHA-256 of the runtime. */
export const hashing: SimulationHashing = {
  link,
  digest: () => {
    const hash = createHash("sha256")
    return { update: (text) => void hash.update(text, "utf8"), hex: () => hash.digest("hex") }
  }
}

/** The daily rates that the project ships. */
export const readHistory = (path: string | URL): PriceHistory =>
  Result.getOrThrow(parseDailyRates(readFileSync(path, "utf8")))
