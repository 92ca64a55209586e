import { describe, expect, it } from "bun:test"
import { createHash } from "node:crypto"
import { fromHex } from "../../../engine/actor/EventChain.ts"
import { keyedHash, simulatedKeys } from "../../../engine/simulation/SimulationHashing.ts"
import { environment } from "../../lib/Simulations.ts"

const { link } = environment.hashing
const sha256 = (...parts: ReadonlyArray<string | Uint8Array>): string => {
  const hash = createHash("sha256")
  for (const part of parts) hash.update(part)
  return hash.digest("hex")
}

describe("SimulationHashing", () => {
  it("derives unrelated hashes from a seed and a purpose", () => {
    const hex = (seed: number, purpose: string) => Buffer.from(keyedHash(link, seed, purpose)("label")).toString("hex")
    expect(hex(1, "walk")).toBe(hex(1, "walk"))
    expect(new Set([hex(1, "walk"), hex(2, "walk"), hex(1, "ties")]).size).toBe(3)
  })

  it("hashes tie keys as anybody recomputes them: SHA-256 of the key, and of the key and the owner", () => {
    const keys = simulatedKeys(link, 5)
    const key = keys.tieKey("ord_1")
    expect(key).toMatch(/^[0-9a-f]{64}$/)
    expect(keys.tieKeyHash("ord_1")).toBe(sha256(fromHex(key)))
    expect(keys.tieHash(key, "cmp_ü")).toBe(sha256(fromHex(key), "cmp_ü"))
  })
})
