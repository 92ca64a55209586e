import { describe, expect, it } from "bun:test"
import { createHash } from "node:crypto"
import type { SeedOutcome } from "../../../scripts/ShrunkFailure.ts"
import { failuresText, MAX_EXPLAINED, summaryOf, sweepText } from "../../../scripts/sweep/SweepSummary.ts"

const spec = { seed: 5, orders: 8, traders: 4, faults: true }

const outcome = (seed: number, detail?: string): SeedOutcome => ({
  seed,
  events: 10 + seed,
  stateHash: `s${seed}`,
  eventsHash: `e${seed}`,
  violation: detail === undefined ? null : { invariant: "zero_sum", detail, seq: 3, at: 0 },
  auctions: null
})

const smaller = {
  replay: "npm run sim -- --seed 6 --orders 8 --traders 4 --faults",
  command: "npm run sim -- --seed 6 --orders 8 --traders 4 --faults --keep-orders 2",
  spec: { ...spec, seed: 6, keep: { orders: [2] } },
  violation: { invariant: "zero_sum", detail: "USD 2", seq: 1, at: 0 },
  tried: 9
}

describe("The summary of a sweep", () => {
  it("hashes the seeds in their order, not in the order they came", () => {
    const summary = summaryOf(spec, [outcome(7), outcome(5), outcome(6)])
    const lines = "5 e5 s5\n6 e6 s6\n7 e7 s7\n"
    expect(summary.sweepHash).toBe(createHash("sha256").update(lines).digest("hex"))
    expect(summary).toMatchObject({ firstSeed: 5, seeds: 3, events: 48, failures: [] })
    expect(summaryOf(spec, [outcome(5), outcome(6), outcome(7)])).toEqual(summary)
  })

  it("has a hash of its own for other events and for another state", () => {
    const { sweepHash } = summaryOf(spec, [outcome(5)])
    expect(summaryOf(spec, [{ ...outcome(5), eventsHash: "e" }]).sweepHash).not.toBe(sweepHash)
    expect(summaryOf(spec, [{ ...outcome(5), stateHash: "s" }]).sweepHash).not.toBe(sweepHash)
  })

  it("tells each failure with its command, and the first with its smaller scenario", () => {
    const summary = summaryOf(spec, [outcome(7, "USD 7"), outcome(5), outcome(6, "USD 6")])
    expect(summary.failures.map(({ seed }) => seed)).toEqual([6, 7])
    expect(failuresText(summary, smaller)).toBe(
      [
        "\nzero_sum: USD 6\nafter event 3\nreplay        npm run sim -- --seed 6 --orders 8 --traders 4 --faults",
        "smaller       npm run sim -- --seed 6 --orders 8 --traders 4 --faults --keep-orders 2\n              USD 2",
        "\nzero_sum: USD 7\nafter event 3\nreplay        npm run sim -- --seed 7 --orders 8 --traders 4 --faults"
      ].join("\n")
    )
  })

  it("says how fast it was and how many failed", () => {
    const summary = summaryOf(spec, [outcome(5), outcome(6, "USD 6")])
    const text = sweepText(summary, { jobs: 2, seconds: 0.5, eventsPerSecond: 54 })
    expect(text).toContain("seeds         2 from 5, 1 failed\nbroken        zero_sum 1\nevents        31\n")
    expect(text).toContain("speed         54 events/s of wall time, 0.5 s, jobs 2\nsweep hash    ")
  })

  it("tells what all the auctions came to, where there are any", () => {
    const auctions = { orders: 8, commitments: 20, wins: 5, machineWins: 3, voids: 1, profit: 10.5 }
    const summary = summaryOf(
      spec,
      [5, 6].map((seed) => ({ ...outcome(seed), auctions }))
    )
    expect(summary.auctions).toMatchObject({ orders: 16, profit: 21 })
    const text = sweepText(summary, { jobs: 1, seconds: 1, eventsPerSecond: 31 })
    expect(text).toContain("orders        16 opened, 10 won, 6 of them by machines, 2 void\n")
    expect(text).toContain("commitments   40, profit 21.00 USD\n")
    expect(sweepText(summaryOf(spec, [outcome(5)]), { jobs: 1, seconds: 1, eventsPerSecond: 15 })).not.toContain(
      "orders"
    )
  })

  it("counts the failures beyond those it explains", () => {
    const summary = summaryOf(
      spec,
      Array.from({ length: MAX_EXPLAINED + 2 }, (_, seed) => outcome(seed, "x"))
    )
    const text = failuresText(summary, undefined)
    expect(text).toContain(`--seed ${MAX_EXPLAINED - 1} `)
    expect(text).not.toContain(`--seed ${MAX_EXPLAINED} `)
    expect(text).toEndWith("\nand 2 more failures: --json tells all")
  })
})
