import { SeededRandom } from "../../../engine/simulation/SeededRandom.ts"
import { type Asked, type Fate, KEPT } from "../../../engine/simulation/CallFate.ts"
import type { Disturbed, FateOf } from "./Fates.ts"
import { play } from "./WriteScenario.ts"

/** What happens to the calls that match, while nothing else fails. */
interface CrashPoint {
  readonly name: string
  readonly is: (asked: Asked, world: Disturbed) => boolean
  readonly fate: Partial<Fate> | ((asked: Asked) => Partial<Fate>)
  /** What happens to the database then. */
  readonly act?: (world: Disturbed) => void
  /** How often it happens; once unless said. */
  readonly times?: number
  /** So many of the calls that match come before, at most. */
  readonly after?: number
}

const of =
  (call: Asked["call"]) =>
  (asked: Asked): boolean =>
    asked.call === call

const first =
  (call: Asked["call"]) =>
  ({ call: asked, server }: Asked): boolean =>
    asked === call && server === 1

const second = ({ call, underWay }: Asked): boolean => call === "append" && underWay === 2

/** A server that has written some keys. */
const restarting = ({ call, number, server }: Asked): boolean => call === "append" && server === 1 && number === 12

/** Milliseconds in which a disk is full. */
const FULL = { from: 200, to: 3_200 }

export const CRASH_POINTS: ReadonlyArray<CrashPoint> = [
  { name: "before the send", is: of("append"), fate: { becomes: "lost", kill: "sent" } },
  { name: "sent, unanswered, still on its way", is: of("append"), fate: { becomes: "late", late: 40, kill: "sent" } },
  {
    name: "sent, unanswered, the database still flushing",
    is: of("append"),
    fate: { becomes: "begun", late: 400, kill: "sent" }
  },
  { name: "the second group in flight, both there", is: second, fate: { kill: "sent" }, after: 2 },
  {
    name: "the second group in flight, the first there",
    is: second,
    fate: { becomes: "lost", kill: "sent" },
    after: 2
  },
  {
    name: "the first group's answer lost behind the second",
    is: first("append"),
    fate: { becomes: "unanswered" },
    times: 9
  },
  { name: "an append whose connection is cut", is: of("append"), fate: { becomes: "lost" }, times: 9 },
  { name: "inserted, unacknowledged", is: of("append"), fate: { kill: "done" } },
  { name: "acknowledged by the database, and nothing told", is: of("append"), fate: { kill: "answered" } },
  { name: "between listeners and answers", is: of("tell"), fate: { kill: "sent" } },
  { name: "inside projection", is: of("project"), fate: { becomes: "lost", kill: "done" } },
  {
    name: "inside projection, which ends after the next start",
    is: of("project"),
    fate: { becomes: "late", late: 60, kill: "sent" }
  },
  { name: "projected and the answer lost", is: of("project"), fate: { becomes: "unanswered" }, times: 9 },
  { name: "projected and lost with its server", is: of("project"), fate: { kill: "done" } },
  { name: "projected later than it was given up", is: of("project"), fate: { becomes: "late", late: 150 }, times: 9 },
  { name: "after a direct commit that read it", is: of("read"), fate: { kill: "done" } },
  {
    name: "in the middle of the filter's reading",
    is: (asked) => restarting(asked) || (asked.call === "keys" && asked.number === 2),
    fate: { kill: "answered" },
    times: 4,
    after: 1
  },
  {
    name: "the filter not read for a while",
    is: (asked) => restarting(asked) || (asked.call === "keys" && asked.server > 1),
    fate: ({ call }) => (call === "keys" ? { becomes: "lost" } : { kill: "answered" }),
    times: 3,
    after: 1
  },
  { name: "the lock lost while paused before an append", is: first("append"), fate: { pause: 900, rival: true } },
  {
    name: "the lock lost while paused, then resumed as projector",
    is: first("project"),
    fate: { pause: 900, rival: true }
  },
  {
    name: "the lock lost while paused between listeners and answers",
    is: first("tell"),
    fate: { pause: 900, rival: true }
  },
  { name: "the lock lost by one that goes on", is: of("append"), fate: { rival: true } },
  {
    name: "the lock lost while it starts",
    is: ({ call, server }) => call === "look" && server < 4,
    fate: { pause: 700, rival: true },
    times: 3,
    after: 3
  },
  { name: "a standby one row behind", is: first("append"), fate: {}, act: (world) => world.revert(1) },
  {
    name: "a standby one row behind, while the tables follow",
    is: first("project"),
    fate: {},
    act: (world) => world.revert(1)
  },
  { name: "a restore", is: first("append"), fate: { becomes: "lost", kill: "sent" }, act: (world) => world.revert(4) },
  {
    name: "the disk full in projection alone",
    is: ({ call }, { elapsed }) => call === "project" && elapsed >= FULL.from && elapsed < FULL.to,
    fate: { becomes: "full" },
    times: Number.POSITIVE_INFINITY
  },
  { name: "a projected table locked for 10 s", is: first("project"), fate: { there: 10_000 } },
  {
    name: "a projected table locked for longer than a transaction may take",
    is: first("project"),
    fate: { becomes: "late", there: 5_000, late: 5_000 }
  }
]

/** Calls that match before it happens, unless said. */
const BEFORE = 8

/** The fates of a point, and how often it came. */
const fatesOf = (seed: number, point: CrashPoint): { readonly fateOf: FateOf; readonly happened: () => number } => {
  const { act, after = BEFORE, fate, is, times = 1 } = point
  const random = new SeededRandom(seed, point.name)
  let before = random.below(after)
  let happened = 0
  const fateOf: FateOf = (asked, world) => {
    const usual = { ...KEPT, there: random.below(6), back: random.below(6) }
    if (happened >= times || !is(asked, world)) return usual
    before -= 1
    if (before >= 0) return usual
    happened += 1
    before = times === 1 ? 0 : random.below(after)
    act?.(world)
    return { ...usual, ...(typeof fate === "function" ? fate(asked) : fate) }
  }
  return { fateOf, happened: () => happened }
}

/** Plays a point in so many worlds. Answers in how many of them it came, and what was found. */
export const playPoint = (point: CrashPoint, seeds: number) => {
  const problems: Array<string> = []
  let reached = 0
  for (let seed = 1; seed <= seeds; seed++) {
    const { fateOf, happened } = fatesOf(seed, point)
    const { problem } = play(seed, fateOf)
    if (happened() > 0) reached += 1
    if (problem !== undefined) problems.push(`seed ${seed}: ${problem}`)
  }
  return { problems, reached }
}
