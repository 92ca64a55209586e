import { Data, Option, Schema } from "effect"
import {
  appendFileSync,
  existsSync,
  fsyncSync,
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  truncateSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import { BlockOutcome } from "./BlockOutcome.ts"
import { Campaign } from "./Campaign.ts"

/** A folder that another campaign is kept in, or none. Its message tells what to do. */
export class CampaignRefused extends Data.TaggedError("CampaignRefused")<{ readonly message: string }> {}

/** What a folder of a campaign has: what it is to do, a line for each block that is done, and the page. */
export const CAMPAIGN_FILE = "campaign.json"
export const BLOCKS_FILE = "blocks.jsonl"
export const PAGE_FILE = "evidence.md"

const LINE_FEED = 10

const decodeCampaign = Schema.decodeUnknownOption(Schema.fromJsonString(Campaign))
const decodeBlock = Schema.decodeUnknownOption(Schema.fromJsonString(BlockOutcome))

/**
 * How far a campaign is, in a folder. What is told here is on the disk, whenever the process ends: a line that was not
 * written to its end is taken away when the folder is opened again, and its block is played again.
 */
export class CampaignFolder {
  readonly campaign: Campaign
  readonly #path: string
  readonly #blocks = new Map<number, BlockOutcome>()

  private constructor(path: string, campaign: Campaign) {
    this.#path = path
    this.campaign = campaign
  }

  /** Opens the folder of a campaign, or begins it there. Throws a `CampaignRefused` where it has another one. */
  static open(path: string, asked: Campaign): CampaignFolder {
    mkdirSync(path, { recursive: true })
    const file = join(path, CAMPAIGN_FILE)
    const text = `${JSON.stringify(asked, null, 2)}\n`
    if (!existsSync(file)) replace(file, text)
    const kept = readFileSync(file, "utf8")
    const campaign = Option.getOrUndefined(decodeCampaign(kept))
    if (campaign === undefined) throw new CampaignRefused({ message: `${file} is not a campaign: take another folder` })
    if (kept !== text) throw new CampaignRefused({ message: otherCampaign(path, campaign, asked) })
    const folder = new CampaignFolder(path, campaign)
    folder.#read()
    return folder
  }

  /** The blocks that are done, in the order of their seeds. */
  get blocks(): ReadonlyArray<BlockOutcome> {
    return [...this.#blocks.values()].toSorted((one, other) => one.firstSeed - other.firstSeed)
  }

  get seedsDone(): number {
    return Array.from(this.#blocks.values()).reduce((sum, { seeds }) => sum + seeds, 0)
  }

  readonly isDone = (firstSeed: number): boolean => this.#blocks.has(firstSeed)

  /** Keeps what a block came to. */
  add(block: BlockOutcome): void {
    const file = openSync(join(this.#path, BLOCKS_FILE), "a")
    try {
      appendFileSync(file, `${JSON.stringify(block)}\n`)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    this.#blocks.set(block.firstSeed, block)
  }

  /** Keeps the page in the place of the one before; answers where. */
  writePage(text: string): string {
    const file = join(this.#path, PAGE_FILE)
    replace(file, text)
    return file
  }

  #read(): void {
    const file = join(this.#path, BLOCKS_FILE)
    if (!existsSync(file)) return
    const bytes = readFileSync(file)
    const whole = bytes.lastIndexOf(LINE_FEED) + 1
    if (whole < bytes.length) truncateSync(file, whole)
    const lines = bytes.toString("utf8", 0, whole).split("\n").slice(0, -1)
    for (const [index, line] of lines.entries()) {
      const block = Option.getOrUndefined(decodeBlock(line))
      if (block === undefined) {
        throw new CampaignRefused({
          message: `line ${index + 1} of ${file} is no block: take it away to have it played again`
        })
      }
      this.#blocks.set(block.firstSeed, block)
    }
  }
}

/** Writes a file that is there whole, or not at all. */
const replace = (file: string, text: string): void => {
  writeFileSync(`${file}.part`, text)
  renameSync(`${file}.part`, file)
}

const otherCampaign = (path: string, kept: Campaign, asked: Campaign): string => {
  if (kept.program !== asked.program) {
    const here = kept.commit === asked.commit ? "this working copy was changed since" : `here is ${asked.commit}`
    return (
      `${path} has a campaign of other code: it was begun with ${kept.commit}, ${here}, and seeds would come out otherwise. ` +
      "Go back to that code, such as by git stash and git checkout, or take another folder"
    )
  }
  const names = [...new Set([...Object.keys(kept), ...Object.keys(asked)])] as ReadonlyArray<keyof Campaign>
  const other = names
    .filter((name) => kept[name] !== asked[name])
    .map((name) => `${name} ${kept[name] ?? "none"}, not ${asked[name] ?? "none"}`)
  return `${path} has another campaign (${other.join("; ")}): go on with that one, or take another folder`
}
