import fc from "fast-check"
import { createHash } from "node:crypto"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "bun:test"
import { compete, type CompetitionInput } from "../../engine/arena/Winner.ts"
import { toNumber } from "../../engine/money/Amount.ts"
import { isoLocal, isoUtc } from "../../src/api/Timestamp.ts"
import { anyField, commitment, human, NO_MACHINES, OWNERS, terms, TIE_KEY } from "../lib/ArenaArbitraries.ts"
import { property } from "../lib/Property.ts"
import { textOf } from "./Source.ts"

const PAGE = "docs/concepts/arena.md"

interface Example {
  readonly recompute: (order: Readonly<Record<string, unknown>>) => {
    readonly winner: string | null
    readonly clearingPrice: number | null
  }
}

const example = async (): Promise<Example> => {
  const code = /```js\n([\s\S]*?)```/.exec(textOf(PAGE) ?? "")?.[1] ?? ""
  const folder = mkdtempSync(join(tmpdir(), "emporion-example-"))
  try {
    const file = join(folder, "recompute.mjs")
    writeFileSync(file, code.replace("process.argv.slice(2)", "[]"))
    return await import(file)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const hashOf = (text: string): string => createHash("sha256").update(TIE_KEY, "hex").update(text, "utf8").digest("hex")

/** The order as it is shown after its settlement. */
const shown = (input: CompetitionInput, { fairness, ranking }: ReturnType<typeof compete>) => {
  const commitments = new Map([...input.commitments].map((one) => [one.commitmentId, one]))
  return {
    quantity: toNumber(input.terms.quantity),
    entry_price: toNumber(input.terms.entryPrice),
    maker_discount: input.terms.makerDiscount === undefined ? null : toNumber(input.terms.makerDiscount),
    opened_at: isoLocal(input.terms.openedAt),
    tie_key: TIE_KEY,
    tie_key_hash: hashOf(""),
    reference_price: toNumber(input.reference),
    fairness: { rule: fairness.rule, machine_owners: fairness.machineOwners },
    commitments: ranking.map(({ commitmentId, owner, reason }) => {
      const one = commitments.get(commitmentId)!
      return {
        commitment_id: commitmentId,
        owner_id: owner,
        loss_reason: reason,
        proposed_entry_price: toNumber(one.proposedPrice),
        slippage_tolerance: toNumber(one.slippage),
        quantity: toNumber(one.quantity),
        collateral: toNumber(one.collateral),
        accepted_at: isoUtc(one.acceptedAt)
      }
    })
  }
}

describe(`The example of ${PAGE}`, () => {
  it("finds the winner and the price of any choice", async () => {
    const { recompute } = await example()
    fc.assert(
      fc.property(anyField, (field) => {
        const input = { ...field, tieHash: hashOf }
        const choice = compete(input)
        expect(recompute(shown(input, choice))).toEqual({
          winner: choice.winner,
          clearingPrice: choice.clearingPrice === null ? null : toNumber(choice.clearingPrice)
        })
      }),
      property()
    )
  })

  it("breaks a tie by the key", async () => {
    const { recompute } = await example()
    const owners = OWNERS.map((owner, index) => commitment(index + 1, { trader: human(owner) }))
    const rules = {
      rule: "weighted",
      register: NO_MACHINES,
      tieHash: hashOf,
      machineOwners: new Set<string>()
    } as const
    const input = { ...rules, terms: terms(), reference: owners[0]!.proposedPrice, commitments: owners }
    const choice = compete(input)
    const byKey = OWNERS.toSorted((one, other) => (hashOf(one) < hashOf(other) ? -1 : 1))
    expect(choice.ranking.map(({ owner }) => owner)).toEqual(byKey)
    expect(recompute(shown(input, choice)).winner).toBe(choice.winner)
  })

  it("refuses a tie key that was not promised", async () => {
    const { recompute } = await example()
    const order = { tie_key: TIE_KEY, tie_key_hash: hashOf("x"), reference_price: 1, commitments: [] }
    expect(() => recompute(order)).toThrow("tie key")
  })
})
