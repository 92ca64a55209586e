import { FAULT_KINDS } from "../../engine/simulation/FaultPlan.ts"
import { eventsWith, UNREACHABLE_FAMILIES } from "../../engine/simulation/ReachableEvents.ts"
import { OUTSIDE_REFUSALS } from "../../engine/simulation/platform/OutsideRefusals.ts"
import { UNTOLD_FAILURES } from "../../engine/simulation/platform/UntoldFailures.ts"
import { gapsOf, refusalCounts, UNREACHABLE_CAUSES, UNREACHABLE_REFUSALS } from "../../engine/simulation/ReachedGaps.ts"
import { hashing } from "../SimulationPlatform.ts"
import type { ShrunkFailure } from "../ShrunkFailure.ts"
import { added, type BlockOutcome, NOTHING_REACHED, type Reached } from "./BlockOutcome.ts"
import { type Campaign, commandText } from "./Campaign.ts"

/** Failures that the page tells; the others it counts. */
export const MAX_LISTED = 100

const MILLIS_PER_DAY = 86_400_000

const whole = (value: number): string => Math.round(value).toLocaleString("en")

/** A table of Markdown, whose first column is text and whose others are numbers unless `rule` says otherwise. */
const table = (
  head: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<string>>,
  rule = "---:"
): ReadonlyArray<string> => [
  `| ${head.join(" | ")} |`,
  `|${head.map((_, index) => `${index === 0 ? "---" : rule}|`).join("")}`,
  ...rows.map((row) => `| ${row.join(" | ")} |`)
]

const code = (text: string): string => `\`${text.replaceAll("|", "\\|")}\``

const counted = (head: string, counts: Readonly<Record<string, number>>, names = Object.keys(counts)) =>
  table(
    [head, "times"],
    names.toSorted().map((name) => [code(name), whole(counts[name] ?? 0)])
  )

/** SHA-256, in hex, over a line for each block in the order of the seeds: its first seed and its hash. */
const hashOf = (blocks: ReadonlyArray<BlockOutcome>): string => {
  const digest = hashing.digest()
  for (const { firstSeed, hash } of blocks) digest.update(`${firstSeed} ${hash}\n`)
  return digest.hex()
}

/** Consecutive seeds that were played, as text. */
const ranges = (blocks: ReadonlyArray<BlockOutcome>): string => {
  const all: Array<{ readonly from: number; to: number }> = []
  for (const { firstSeed, seeds } of blocks) {
    const last = all.at(-1)
    if (last?.to === firstSeed - 1) last.to += seeds
    else all.push({ from: firstSeed, to: firstSeed + seeds - 1 })
  }
  return all.map(({ from, to }) => `${whole(from)} to ${whole(to)}`).join(", ")
}

const failureLines = (
  failures: BlockOutcome["failures"],
  smaller: ReadonlyArray<ShrunkFailure>
): ReadonlyArray<string> => {
  if (failures.length === 0) return ["None: no seed broke a rule."]
  const lines = failures.slice(0, MAX_LISTED).flatMap(({ replay, seed, violation }) => {
    const made = smaller.find((one) => one.replay === replay)
    return [
      `- seed ${seed}, \`${violation.invariant}\` after event ${violation.seq}: ${violation.detail}`,
      `  - ${code(replay)}`,
      ...(made === undefined ? [] : [`  - smaller: ${code(made.command)}`])
    ]
  })
  const more = failures.length - MAX_LISTED
  return [...lines, ...(more > 0 ? [`- and ${whole(more)} more`] : [])]
}

/** How often each fault struck before each event. */
const pairLines = ({ struckBefore }: Reached, tags: ReadonlyArray<string>): ReadonlyArray<string> => {
  const rows = tags.map((tag) => FAULT_KINDS.map((kind) => struckBefore[kind]?.[tag] ?? 0))
  const came = rows.flat().filter((times) => times > 0).length
  return [
    ...table(
      ["", ...FAULT_KINDS.map((kind) => kind.replaceAll("_", " "))],
      rows.map((row, index) => [code(tags[index] ?? ""), ...row.map((times) => (times === 0 ? "–" : whole(times)))])
    ),
    "",
    `${whole(came)} of ${whole(rows.flat().length)} pairs came.`
  ]
}

/** What was not reached, of what the code has. */
const gapLines = (reached: Reached, campaign: Campaign): ReadonlyArray<string> => {
  const { causes, events, pairs, refusals, surprises } = gapsOf(reached, campaign)
  const told = (what: string, missing: ReadonlyArray<string>): string =>
    missing.length === 0
      ? `Every ${what} came.`
      : `Of every ${what} these did not come: ${missing.map(code).join(", ")}.`
  const left = { ...UNREACHABLE_FAMILIES, ...UNREACHABLE_CAUSES, ...UNREACHABLE_REFUSALS }
  return [
    told("event", events),
    "",
    told("cause of an event", causes),
    "",
    told("refusal", refusals),
    "",
    ...(campaign.faults ? [told("fault before each event", pairs), ""] : []),
    ...(surprises.length > 0 ? [`These came, and are said never to: ${surprises.map(code).join(", ")}.`, ""] : []),
    "Left out, because it cannot be:",
    "",
    ...byReason(left),
    "",
    "### Not asked for",
    "",
    "What services refuse by checks that no simulation plays; each is tested where it is made:",
    "",
    ...byReason(OUTSIDE_REFUSALS),
    "",
    "Failures of the engine that nobody is told as the answer to a request:",
    "",
    ...byReason(UNTOLD_FAILURES)
  ]
}

/** A line for each reason, with all that is left out by it. */
const byReason = (reasons: Readonly<Record<string, string>>): ReadonlyArray<string> =>
  Array.from(
    Map.groupBy(Object.entries(reasons), ([, why]) => why),
    ([why, names]) => `- ${names.map(([name]) => code(name)).join(", ")}: ${why}`
  )

/** How often each refusal of the code came. */
const refusalLines = (reached: Reached): ReadonlyArray<string> =>
  table(
    ["refusal", "times"],
    Object.entries(refusalCounts(reached))
      .filter(([, times]) => times > 0)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, times]) => [code(name), whole(times)])
  )

const settingsText = ({ bots, companies, faults, orders, traders, vary, worldHash }: Campaign): string =>
  `${orders} orders, ${worldHash === undefined ? `${traders} traders, ${bots} bots` : "traders and bots of a world"}${companies > 0 ? `, ${companies} companies` : ""} each, ${faults ? "with" : "without"} faults` +
  (vary ? "; each seed draws its reading of the 3/4 rule, and one in eight the scheduler with a bound" : "")

/**
 * What a campaign has come to, as a page of Markdown. It tells nothing of the machine or the time, so that whoever runs the
 * same campaign with the same commit gets the same page.
 */
export const campaignPage = (
  campaign: Campaign,
  blocks: ReadonlyArray<BlockOutcome>,
  smaller: ReadonlyArray<ShrunkFailure>
): string => {
  const reached = blocks.reduce((sum, block) => added(sum, block.reached), NOTHING_REACHED)
  const failures = blocks.flatMap((block) => block.failures)
  const seeds = blocks.reduce((sum, block) => sum + block.seeds, 0)
  const events = Object.values(reached.events).reduce((sum, times) => sum + times, 0)
  const struck = Object.values(reached.faults).reduce((sum, times) => sum + times, 0)
  const elapsed = blocks.reduce((sum, block) => sum + block.elapsed, 0)
  const tags = [...new Set([...eventsWith(campaign), ...Object.keys(reached.events)])].toSorted()
  return [
    "# Evidence of the simulation",
    "",
    "Written by `npm run sim -- campaign`. Whoever runs it with the same commit gets the same page.",
    "",
    ...table(
      ["", ""],
      [
        [
          "seeds",
          `${whole(seeds)}: ${ranges(blocks)}${seeds < campaign.seeds ? `, of ${whole(campaign.seeds)} asked for` : ""}`
        ],
        ["failed", whole(failures.length)],
        ["commit", code(campaign.commit)],
        ...(campaign.program === undefined ? [] : [["program", code(campaign.program)]]),
        ...(campaign.worldHash === undefined ? [] : [["world", code(campaign.worldHash)]]),
        ["settings", settingsText(campaign)],
        ["command", code(commandText(campaign))],
        ["simulated", `${whole(elapsed / MILLIS_PER_DAY)} days, ${whole(events)} events, ${whole(struck)} faults`],
        ["hash", code(hashOf(blocks))]
      ],
      "---"
    ),
    "",
    "The program is SHA-256 over the files that a simulation comes from, committed or not.",
    "The hash is SHA-256 over the hashes of all blocks of seeds, which are over the hashes of all events and of each seed's",
    "final state: it stands for every byte.",
    "",
    "## Failures",
    "",
    ...failureLines(failures, smaller),
    "",
    "## Auctions",
    "",
    ...counted("", reached.auctions),
    "",
    "## Events",
    "",
    ...counted("event", reached.events),
    "",
    "By what those came that name one of several causes:",
    "",
    ...counted("cause", reached.causes),
    "",
    "## What was reached",
    "",
    ...gapLines(reached, campaign),
    "",
    "## Refusals",
    "",
    ...refusalLines(reached),
    "",
    "## Answers to traders",
    "",
    "`Submitted` is a commitment, all others are refusals or what a repeated request gets.",
    "",
    ...counted("answer", reached.answers),
    "",
    ...(campaign.bots === 0 && Object.keys(reached.botResponses).length === 0
      ? []
      : ["## Answers to the owners of bots", "", ...counted("answer", reached.botResponses), ""]),
    ...(campaign.companies === 0
      ? []
      : [
          "## Answers to companies",
          "",
          "What was done, or the refusal with its context.",
          "",
          ...counted("answer", reached.companyResponses),
          ""
        ]),
    ...(campaign.faults
      ? [
          "## Faults",
          "",
          ...counted("fault", reached.faults, [...FAULT_KINDS]),
          "",
          "How often each had an effect. It is counted once it did: once the oracle was looked at while it stalled or was off, a",
          "message was late or doubled, a read failed, a transaction took longer, or the vault was recorded to be closed.",
          "",
          "How often each such fault began just before an event, which is one of those that were recorded next:",
          "",
          ...pairLines(reached, tags),
          ""
        ]
      : [])
  ].join("\n")
}
