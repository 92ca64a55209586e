import fc from "fast-check"
import { describe, expect, it } from "bun:test"
import { encodeEvent } from "../../../engine/actor/EventChain.ts"
import { compete, type RankedCommitment } from "../../../engine/arena/Winner.ts"
import { recordedTies } from "../../../engine/replay/RecordedTies.ts"
import { anyField, commitment, human, OPENING, OWNERS } from "../../lib/ArenaArbitraries.ts"
import { property } from "../../lib/Property.ts"

describe("recordedTies", () => {
  it("ranks any competition as the key did", () => {
    fc.assert(
      fc.property(anyField, fc.shuffledSubarray<string>([...OWNERS], { minLength: OWNERS.length }), (field, order) => {
        const input = { ...field, tieHash: (owner: string) => String(order.indexOf(owner)).padStart(3, "0") }
        const made = compete(input)
        const commitments = new Map([...input.commitments].map((one) => [one.commitmentId, one]))
        const tieHash = recordedTies(made.ranking, commitments, input.terms.openedAt)
        expect(encodeEvent(compete({ ...input, tieHash }))).toBe(encodeEvent(made))
      }),
      property()
    )
  })

  it("puts the winner of a tie first, whoever has the better bid elsewhere", () => {
    const [better, one, other] = [1, 2, 3].map((ordinal) =>
      commitment(ordinal, { trader: human(ordinal === 3 ? "bob" : "al") })
    )
    const standing = ({ commitmentId, trader }: typeof better & object, score: bigint): RankedCommitment => ({
      commitmentId,
      owner: trader.owner,
      score,
      reason: "outbid"
    })
    const ranking = [standing(better!, 9n), standing(other!, 5n), standing(one!, 5n)]
    const commitments = new Map([better!, one!, other!].map((each) => [each.commitmentId, each]))
    const tieHash = recordedTies(ranking, commitments, OPENING)
    expect(tieHash("bob") < tieHash("al")).toBe(true)
  })

  it("comes to an end on a ranking that no key makes", () => {
    const all = [1, 2, 3].map((ordinal) => commitment(ordinal, { trader: human(ordinal === 2 ? "bob" : "al") }))
    const ranking = all.map(({ commitmentId, trader }) => ({
      commitmentId,
      owner: trader.owner,
      score: 5n,
      reason: null
    }))
    const commitments = new Map(all.map((each) => [each.commitmentId, each]))
    expect(recordedTies(ranking, commitments, OPENING)("al")).toBe("")
  })
})
