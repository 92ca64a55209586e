import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, concatBytes, utf8ToBytes } from "@noble/hashes/utils.js"
import { Result } from "effect"
import rates from "../../../../data/daily-rates-per-usd.csv" with { type: "text" }
import { parseDailyRates } from "../../../../engine/arena/PriceHistory.ts"
import type { SimulationEnvironment } from "../../../../engine/simulation/SimulationEnvironment.ts"
import type { SimulationHashing } from "../../../../engine/simulation/SimulationHashing.ts"

/** SHA-256 of a library: a browser's own gives promises, and a simulation cannot wait. */
const hashing: SimulationHashing = {
  link: (previous, data) => sha256(concatBytes(previous, utf8ToBytes(data))),
  digest: () => {
    const hash = sha256.create()
    return { update: (text) => void hash.update(utf8ToBytes(text)), hex: () => bytesToHex(hash.digest()) }
  }
}

/** What a simulation needs from outside, in a browser. */
export const platform: SimulationEnvironment = { hashing, history: Result.getOrThrow(parseDailyRates(rates)) }
