import { Effect } from "effect"
import { readFile } from "node:fs/promises"
import { parseDailyRates } from "../../engine/arena/PriceHistory.ts"

const FILE = new URL("../../data/daily-rates-per-usd.csv", import.meta.url)

/** The real daily closes that ship with the program. A file that is missing or damaged is a defect. */
export const dailyRates = Effect.tryPromise(() => readFile(FILE, "utf8")).pipe(
  Effect.flatMap((text) => Effect.fromResult(parseDailyRates(text))),
  Effect.orDie
)
