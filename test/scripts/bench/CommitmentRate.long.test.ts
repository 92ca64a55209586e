import { describe } from "bun:test"
import { smokeCases } from "../../lib/BenchSmoke.ts"

describe("bun run bench, of commitments by every way", () => {
  smokeCases(["b", "l", "q", "r", "s", "u"], ["4", "64-keyed", "streams"])
})
