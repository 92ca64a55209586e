import { afterAll, describe, expect, it } from "bun:test"
import fc from "fast-check"
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type BlockOutcome, NOTHING_REACHED } from "../../../scripts/campaign/BlockOutcome.ts"
import { BLOCKS_FILE, CAMPAIGN_FILE, CampaignFolder } from "../../../scripts/campaign/CampaignFolder.ts"

const parent = mkdtempSync(join(tmpdir(), "campaign-"))
afterAll(() => rmSync(parent, { recursive: true, force: true }))
let made = 0
const newFolder = (): string => join(parent, String(made++))

const campaign = {
  commit: "c",
  firstSeed: 1,
  seeds: 40,
  block: 10,
  orders: 4,
  traders: 4,
  bots: 0,
  companies: 0,
  faults: true,
  vary: false
}

const block = (firstSeed: number): BlockOutcome => ({
  firstSeed,
  seeds: 10,
  elapsed: 5,
  hash: `h${firstSeed}`,
  failures: [{ seed: firstSeed, violation: { invariant: "held", detail: "…", seq: 1, at: 2 }, replay: "npm run sim" }],
  reached: { ...NOTHING_REACHED, events: { OrderOpened: firstSeed }, struckBefore: { delay: { OrderOpened: 1 } } }
})

describe("The folder of a campaign", () => {
  it("has what was kept, however much of the next block was written when it was killed", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(1, 11, 21), { maxLength: 3 }),
        fc.double({ min: 0, max: 0.999 }),
        (firsts, part) => {
          const path = newFolder()
          const folder = CampaignFolder.open(path, campaign)
          for (const first of firsts) folder.add(block(first))
          const torn = `${JSON.stringify(block(31))}\n`
          appendFileSync(join(path, BLOCKS_FILE), torn.slice(0, Math.floor(torn.length * part)))
          const again = CampaignFolder.open(path, campaign)
          const kept = [...new Set(firsts)].toSorted((one, other) => one - other)
          expect(again.blocks).toEqual(kept.map(block))
          expect(again.isDone(31)).toBe(false)
          again.add(block(31))
          expect(CampaignFolder.open(path, campaign).blocks).toEqual([...kept, 31].map(block))
        }
      ),
      { numRuns: 20 }
    )
  })

  it("refuses another campaign, and says what is other", () => {
    const path = newFolder()
    CampaignFolder.open(path, campaign)
    expect(() => CampaignFolder.open(path, { ...campaign, commit: "d", bots: 2 })).toThrow(
      `${path} has another campaign (commit c, not d; bots 0, not 2)`
    )
    expect(CampaignFolder.open(path, campaign).seedsDone).toBe(0)
  })

  it("refuses to go on with other code, and says what to do", () => {
    const path = newFolder()
    CampaignFolder.open(path, { ...campaign, program: "p" }).add(block(1))
    expect(() => CampaignFolder.open(path, { ...campaign, program: "q" })).toThrow(
      `${path} has a campaign of other code: it was begun with c, this working copy was changed since, and seeds would ` +
        "come out otherwise. Go back to that code, such as by git stash and git checkout, or take another folder"
    )
    expect(() => CampaignFolder.open(path, { ...campaign, commit: "d", program: "q" })).toThrow("here is d, and seeds")
    expect(() => CampaignFolder.open(path, campaign)).toThrow("other code")
    expect(CampaignFolder.open(path, { ...campaign, program: "p" }).seedsDone).toBe(10)
  })

  it("refuses another world", () => {
    const path = newFolder()
    CampaignFolder.open(path, { ...campaign, worldHash: "1" })
    expect(() => CampaignFolder.open(path, { ...campaign, worldHash: "2" })).toThrow("worldHash 1, not 2")
    expect(() => CampaignFolder.open(path, campaign)).toThrow("worldHash 1, not none")
  })

  it("refuses what is no campaign, and a line that is no block", () => {
    const path = newFolder()
    CampaignFolder.open(path, campaign).add(block(1))
    const file = join(path, BLOCKS_FILE)
    writeFileSync(file, `${readFileSync(file, "utf8")}{}\n`)
    expect(() => CampaignFolder.open(path, campaign)).toThrow(`line 2 of ${file} is no block`)
    writeFileSync(join(path, CAMPAIGN_FILE), "{}")
    expect(() => CampaignFolder.open(path, campaign)).toThrow("is not a campaign")
  })
})
