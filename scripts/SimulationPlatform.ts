import { Result } from "effect"
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { deflateRawSync, inflateRawSync } from "node:zlib"
import { parseDailyRates, type PriceHistory } from "../engine/arena/PriceHistory.ts"
import type { TextCompression } from "../engine/simulation/OrderArchive.ts"
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

/** The fastest deflation of the runtime: texts are kept for an end that may never ask for them. */
export const compression: TextCompression = (text) => {
  const bytes = deflateRawSync(text, { level: 1 })
  return () => inflateRawSync(bytes).toString("utf8")
}

/** The daily rates that the project ships. */
export const readHistory = (path: string | URL): PriceHistory =>
  Result.getOrThrow(parseDailyRates(readFileSync(path, "utf8")))
