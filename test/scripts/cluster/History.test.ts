import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import {
  type History,
  type Operation,
  type Outcome,
  type RecordedEvent,
  type Reply,
  type Rule,
  RULES,
  violationsOf
} from "../../../scripts/cluster/History.ts"

const replyOf = (at: number, outcome: Outcome, receipt?: string): Reply => ({
  at,
  outcome,
  status: outcome === "accepted" ? 200 : outcome === "refused" ? 422 : undefined,
  receipt,
  isReplayed: false
})

/** A request of one of two clients of one account that takes effect, or does not, at one moment. */
interface Step {
  readonly client: number
  readonly kind: "accepted" | "refused" | "lost and executed" | "lost" | "read"
  /** How long before its moment it began, and how long behind it its answer came. */
  readonly before: number
  readonly behind: number
}

const stepArbitrary: fc.Arbitrary<Step> = fc.record({
  client: fc.integer({ min: 1, max: 3 }),
  kind: fc.constantFrom("accepted", "refused", "lost and executed", "lost", "read"),
  before: fc.integer({ min: 1, max: 40 }),
  behind: fc.integer({ min: 1, max: 40 })
})

const INTERVAL = 10
const NEWEST = 5
const END = 1_000_000

const repliesOf = ({ behind, kind }: Step, moment: number, receipt: string): ReadonlyArray<Reply> => {
  switch (kind) {
    case "accepted":
      return [replyOf(moment + behind, "accepted", receipt)]
    case "refused":
      return [replyOf(moment + behind, "refused")]
    case "lost and executed":
      return [replyOf(moment + behind, "unknown"), { ...replyOf(END, "accepted", receipt), isReplayed: true }]
    default:
      return [replyOf(moment + behind, "unknown"), replyOf(END, "refused")]
  }
}

/** The history of a platform that keeps its promises: each step takes effect at its moment. */
const honest = (steps: ReadonlyArray<Step>): History => {
  const journal: Array<RecordedEvent> = []
  const operations: Array<Operation> = []
  const reads: Array<History["reads"][number]> = []
  for (const [index, step] of steps.entries()) {
    const moment = (index + 10) * INTERVAL
    const [client, owner] = [`client ${step.client}`, "owner"]
    if (step.kind === "read") {
      const receipts = journal.slice(-NEWEST).map(({ receipt = "" }) => receipt)
      const shown = journal.length
      const named = step.behind % 2 === 0 ? shown : undefined
      reads.push({ client, owner, node: "node 1", began: moment - step.before, named, shown, receipts })
      continue
    }
    const [mark, receipt] = [`commitment of ${index}`, `id ${index}`]
    const replies = repliesOf(step, moment, receipt)
    operations.push({ client, owner, key: `key ${index}`, mark, isDirect: false, began: moment - step.before, replies })
    if (step.kind === "refused" || step.kind === "lost") continue
    journal.push({ seq: journal.length + 1, term: 1 + Math.floor(index / 4), mark, receipt, told: `told ${receipt}` })
  }
  const heard = journal.map(({ seq, told = "" }) => ({ seq, what: told, digest: told }))
  const subscriptions = [
    { node: "node 1", from: 0, told: heard, faults: [] },
    { node: "node 2", from: 1, told: heard.slice(1), faults: [] }
  ]
  return { operations, reads, subscriptions, journal }
}

const broken = (history: History): ReadonlyArray<Rule> => [...new Set(violationsOf(history).map(({ rule }) => rule))]

const step = (kind: Step["kind"], client = 1): Step => ({ client, kind, before: 2, behind: 2 })

/** Every kind of step, none at the same time as another. */
const BASE = honest([
  step("accepted"),
  step("accepted", 2),
  step("read"),
  step("refused"),
  step("lost and executed"),
  step("lost"),
  step("accepted", 2),
  step("read", 2)
])

const at = <T>(all: ReadonlyArray<T>, index: number): T => {
  const one = all[index]
  if (one === undefined) throw new Error(`there is no ${index}`)
  return one
}

const changed = <T>(all: ReadonlyArray<T>, index: number, change: Partial<T>): ReadonlyArray<T> =>
  all.map((one, place) => (place === index ? { ...one, ...change } : one))

const withOperation = (index: number, replies: ReadonlyArray<Reply>): History => ({
  ...BASE,
  operations: changed(BASE.operations, index, { replies })
})

const withJournal = (journal: History["journal"]): History => ({ ...BASE, journal })

const withTold = (
  told: (all: History["subscriptions"][number]["told"]) => History["subscriptions"][number]["told"]
) => ({
  ...BASE,
  subscriptions: [{ ...at(BASE.subscriptions, 0), told: told(at(BASE.subscriptions, 0).told) }]
})

const [first, second] = [at(BASE.journal, 0), at(BASE.journal, 1)]

/** Events of two acknowledged requests in each other's place. */
const exchanged = (history: History, one: number, other: number): History => {
  const { journal } = history
  const [a, b] = [at(journal, one), at(journal, other)]
  return {
    ...history,
    journal: changed(changed(journal, one, { mark: b.mark, receipt: b.receipt }), other, {
      mark: a.mark,
      receipt: a.receipt
    })
  }
}

const PLANTED: ReadonlyArray<readonly [what: string, history: History, rule: Rule]> = [
  ["an acknowledged request that is lost", withJournal(changed(BASE.journal, 0, { mark: undefined })), RULES[0]],
  ["an acknowledged request that is there twice", withJournal([...BASE.journal, { ...first, seq: 5 }]), RULES[0]],
  ["a refused request that is there", withOperation(0, [replyOf(102, "refused")]), RULES[1]],
  [
    "a lost request without a key that is there twice",
    {
      ...withJournal([...BASE.journal, { ...first, seq: 5 }]),
      operations: changed(BASE.operations, 0, { isKeyless: true, replies: [replyOf(102, "unknown")] })
    },
    RULES[2]
  ],
  ["a lost request that no retry tells of", withOperation(3, [replyOf(142, "unknown")]), RULES[2]],
  [
    "a retry that is executed again",
    withOperation(0, [replyOf(102, "accepted", "id 0"), replyOf(END, "accepted", "id 9")]),
    RULES[3]
  ],
  ["an answer with another id than the journal's", withOperation(0, [replyOf(102, "accepted", "id 9")]), RULES[3]],
  ["an event that nobody asked for", { ...BASE, operations: BASE.operations.slice(1) }, RULES[4]],
  ["an earlier request behind a later one", exchanged(BASE, 0, 1), RULES[5]],
  [
    "a read that lacks what its client was acknowledged",
    { ...BASE, reads: changed(BASE.reads, 1, { receipts: ["id 0"] }) },
    RULES[6]
  ],
  [
    "a read that lacks what another client was acknowledged",
    { ...BASE, reads: changed(BASE.reads, 0, { receipts: ["id 0"] }) },
    RULES[7]
  ],
  ["a read of what is not there", { ...BASE, reads: changed(BASE.reads, 0, { receipts: ["id 9"] }) }, RULES[8]],
  ["a read older than its position", { ...BASE, reads: changed(BASE.reads, 0, { named: 3, shown: 3 }) }, RULES[11]],
  ["a read that shows an older position", { ...BASE, reads: changed(BASE.reads, 1, { named: 5 }) }, RULES[11]],
  ["a read newer than its position", { ...BASE, reads: changed(BASE.reads, 1, { named: 1, shown: 3 }) }, RULES[11]],
  ["a read without a position", { ...BASE, reads: changed(BASE.reads, 1, { shown: undefined }) }, RULES[11]],
  ["a subscriber that misses one", withTold((all) => all.toSpliced(1, 1)), RULES[9]],
  ["a subscriber that misses the last", withTold((all) => all.slice(0, -1)), RULES[9]],
  ["a subscriber that is told twice", withTold((all) => [at(all, 0), ...all]), RULES[9]],
  ["a subscriber that is told in another order", withTold((all) => all.toReversed()), RULES[9]],
  ["a subscriber that is told otherwise", withTold((all) => changed(all, 1, { what: "told id 9" })), RULES[9]],
  [
    "a subscriber that is told to begin anew",
    { ...BASE, subscriptions: changed(BASE.subscriptions, 0, { faults: ["resync at 3"] }) },
    RULES[9]
  ],
  [
    "a subscriber that is told other frames than another",
    {
      ...BASE,
      subscriptions: changed(BASE.subscriptions, 1, {
        told: changed(at(BASE.subscriptions, 1).told, 1, { digest: "other" })
      })
    },
    RULES[9]
  ],
  ["a journal with a gap", withJournal(BASE.journal.filter(({ seq }) => seq !== 2)), RULES[10]],
  ["a term that falls", withJournal(changed(BASE.journal, 0, { term: second.term + 1 })), RULES[10]]
]

describe("History", () => {
  it("finds nothing where every promise is kept", () => {
    fc.assert(
      fc.property(fc.array(stepArbitrary, { maxLength: 60 }), (steps) => {
        expect(violationsOf(honest(steps))).toEqual([])
      })
    )
  })

  it.each(PLANTED)("finds %s", (_, history, rule) => {
    expect(broken(BASE)).toEqual([])
    expect(broken(history)).toContain(rule)
  })

  it("plants a violation of every rule", () => {
    expect(new Set(PLANTED.map(([, , rule]) => rule))).toEqual(new Set(RULES))
  })

  it("finds any two requests in each other's place of which one was acknowledged before the other began", () => {
    fc.assert(
      fc.property(fc.array(stepArbitrary, { minLength: 2, maxLength: 60 }), fc.nat(), fc.nat(), (steps, one, other) => {
        const history = honest(steps)
        const begun = new Map(history.operations.map(({ began, mark }) => [mark, began]))
        const answered = new Map(history.operations.map(({ mark, replies }) => [mark, replies[0]]))
        const { length } = history.journal
        fc.pre(length > 1)
        const [low, high] = [one % length, other % length].toSorted((a, b) => a - b) as [number, number]
        const [before, after] = [at(history.journal, low), at(history.journal, high)]
        const reply = answered.get(before.mark ?? "")
        fc.pre(reply?.outcome === "accepted" && reply.at < (begun.get(after.mark ?? "") ?? 0))
        expect(broken(exchanged(history, low, high))).toContain(RULES[5])
      })
    )
  })

  it("says nothing about the order of requests at the same time", () => {
    const together: Step = { client: 1, kind: "accepted", before: 30, behind: 30 }
    const history = exchanged(honest([together, { ...together, client: 2 }]), 0, 1)
    expect(broken({ ...history, subscriptions: [] })).toEqual([])
  })

  it("says where a rule is broken", () => {
    const [violation] = violationsOf(withOperation(0, [replyOf(102, "refused")]))
    expect(violation?.what).toBe(
      "key 0 of client 1 (commitment of 0, sent at 0.098 s; refused 422 at 0.102 s) is there as 1"
    )
  })
})
