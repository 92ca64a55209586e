import { describe, expect, it } from "bun:test"
import { createHash } from "node:crypto"
import { OUTSIDE_REFUSALS } from "../../../engine/simulation/platform/OutsideRefusals.ts"
import { UNTOLD_FAILURES } from "../../../engine/simulation/platform/UntoldFailures.ts"
import { type BlockOutcome, NOTHING_REACHED } from "../../../scripts/campaign/BlockOutcome.ts"
import { campaignPage, MAX_LISTED } from "../../../scripts/campaign/CampaignPage.ts"

const campaign = {
  commit: "abc",
  firstSeed: 1,
  seeds: 400,
  block: 100,
  orders: 4,
  traders: 6,
  bots: 3,
  companies: 0,
  faults: true,
  vary: true
}

const block = (firstSeed: number, failures: BlockOutcome["failures"] = []): BlockOutcome => ({
  firstSeed,
  seeds: 100,
  elapsed: 86_400_000,
  hash: `h${firstSeed}`,
  failures,
  reached: {
    ...NOTHING_REACHED,
    events: { OrderOpened: 400, OrderVoided: 2 },
    causes: { "CommitmentHaltSet by restarted": 5 },
    faults: { delay: 30 },
    struckBefore: { delay: { OrderOpened: 7 } },
    answers: { Submitted: 1_000, WindowClosed: 3 }
  }
})

const failure = (seed: number): BlockOutcome["failures"][number] => ({
  seed,
  violation: { invariant: "held", detail: "1 is not 2", seq: 9, at: 0 },
  replay: `npm run sim -- --seed ${seed}`
})

describe("The page of a campaign", () => {
  it("says what was run, and what it came to together", () => {
    const page = campaignPage(campaign, [block(1), block(101), block(301)], [])
    const hash = createHash("sha256").update("1 h1\n101 h101\n301 h301\n").digest("hex")
    for (const part of [
      "| seeds | 300: 1 to 200, 301 to 400, of 400 asked for |",
      "| failed | 0 |",
      "| commit | `abc` |",
      "| simulated | 3 days, 1,206 events, 90 faults |",
      `| hash | \`${hash}\` |`,
      "None: no seed broke a rule.",
      "| `OrderOpened` | 1,200 |",
      "| `WindowClosed` | 9 |",
      "| `CommitmentHaltSet by restarted` | 15 |",
      "| `delay` | 90 |",
      "| `restart` | 0 |",
      "| `OrderOpened` | – | – | 21 |",
      "1 of 319 pairs came."
    ]) {
      expect(page).toContain(part)
    }
    expect(page).toMatch(/did not come: .*`BotCreated`/)
    expect(page).toMatch(/did not come: .*`CommitmentHaltSet by asked`, `CommitmentHaltSet by deadline`/)
  })

  it("says of everything that is not asked for why, each reason once", () => {
    const page = campaignPage(campaign, [block(1)], [])
    const asked = page.slice(0, page.indexOf("### Not asked for"))
    const left = page.slice(asked.length, page.indexOf("## Refusals"))
    for (const [name, why] of Object.entries({ ...OUTSIDE_REFUSALS, ...UNTOLD_FAILURES })) {
      expect(left.split(`: ${why}\n`).length).toBe(2)
      const line = left.split("\n").find((text) => text.endsWith(`: ${why}`))
      expect(line).toContain(`\`${name}\``)
    }
    for (const name of ["erasure", "SubscriptionPaymentFailed by account_not_active"]) {
      expect(asked).toContain(`- \`${name}\`: `)
    }
  })

  it("says what companies were answered, and what they did not reach", () => {
    const reached = { ...block(1).reached, companyResponses: { "transfers/QuoteGone": 3, PurchaseOrderPlaced: 9 } }
    const page = campaignPage({ ...campaign, companies: 5 }, [{ ...block(1), reached }], [])
    for (const part of [
      "4 orders, 6 traders, 3 bots, 5 companies each",
      "--bots 3 --companies 5 --faults",
      "| `transfers/QuoteGone` | 3 |",
      "`commerce/OutOfStock`",
      "`restart before PaymentVoided`"
    ]) {
      expect(page).toContain(part)
    }
    expect(campaignPage(campaign, [block(1)], [])).not.toContain("## Answers to companies")
  })

  it("asks for what there is in a campaign alone", () => {
    const page = campaignPage({ ...campaign, bots: 0, faults: false }, [block(1)], [])
    expect(page).toContain("`CommitmentHaltSet`")
    for (const part of ["`BotCreated`", "`bots/BotOver`", "`PaymentVoided`", "pairs"]) {
      expect(page).not.toContain(part)
    }
  })

  it("has what bots' owners were answered where the bots are a world's, and not where its file is", () => {
    const played = block(1)
    const withBots = { ...played, reached: { ...played.reached, botResponses: { Funded: 9 } } }
    const page = campaignPage({ ...campaign, traders: 0, bots: 0, worldHash: "w1" }, [withBots], [])
    expect(page).toContain("## Answers to the owners of bots")
    expect(page).toContain("| `Funded` | 9 |")
    expect(page).toContain("| world | `w1` |")
    expect(page).toContain(" --world FILE ")
    expect(page).toContain("4 orders, traders and bots of a world each")
  })

  it("tells failures with their commands, and the smaller ones", () => {
    const violation = failure(7).violation
    const smaller = { replay: "npm run sim -- --seed 7", command: "npm run sim -- --seed 7 --keep-orders 1", tried: 3 }
    const spec = { seed: 7, orders: 4, traders: 6, faults: true }
    const page = campaignPage(campaign, [block(1, [failure(7), failure(8)])], [{ ...smaller, spec, violation }])
    expect(page).toContain("| failed | 2 |")
    expect(page).toContain(
      [
        "- seed 7, `held` after event 9: 1 is not 2",
        "  - `npm run sim -- --seed 7`",
        "  - smaller: `npm run sim -- --seed 7 --keep-orders 1`",
        "- seed 8, `held` after event 9: 1 is not 2",
        "  - `npm run sim -- --seed 8`\n"
      ].join("\n")
    )
  })

  it("counts the failures beyond those it lists", () => {
    const failures = Array.from({ length: MAX_LISTED + 5 }, (_, seed) => failure(seed))
    const page = campaignPage(campaign, [block(1, failures)], [])
    expect(page).toContain("- and 5 more\n")
    expect(page).not.toContain(`--seed ${MAX_LISTED}\``)
  })
})
