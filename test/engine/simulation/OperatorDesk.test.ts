import { describe, expect, it } from "bun:test"
import { playedWithBots as played } from "../../lib/PlayedBots.ts"

const SEEDS = [1, 2, 3, 4]

describe("OperatorDesk", () => {
  it("commits as bots of the own company, and is refused what those may not", () => {
    const all = SEEDS.map((seed) => played(seed, false))
    for (const answer of ["Submitted", "MachineNotRegistered", "LossLimitReached", "AllPaused", "GuardSet"]) {
      expect([answer, all.some(({ result }) => (result.botResponses[answer] ?? 0) > 0)]).toEqual([answer, true])
    }
    const made = all.flatMap(({ journal }) =>
      journal.events.flatMap(({ event }) =>
        event._tag === "CommitmentSubmitted" && event.commitment.swapExecutor.startsWith("operator/") ? [event] : []
      )
    )
    expect(made.length).toBe(all.reduce((sum, { result }) => sum + (result.botResponses["Submitted"] ?? 0), 0))
  })

  it("makes each item with an id once, however often it arrives", () => {
    let replayed = 0
    for (const seed of SEEDS) {
      const { journal, result } = played(seed, true)
      const made = journal.events.flatMap(({ event }) =>
        event._tag === "CommitmentSubmitted" ? [event.commitment.swapExecutor] : []
      )
      const ids = made.filter((id) => id.startsWith("operator/"))
      expect(new Set(ids).size).toBe(ids.length)
      replayed += result.botResponses["Replayed"] ?? 0
    }
    expect(replayed).toBeGreaterThan(0)
  })
})
