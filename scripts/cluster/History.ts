/** How a client saw a request end. `unknown`: without a final answer, so that it may or may not have been executed. */
export type Outcome = "accepted" | "refused" | "unknown"

/** One answer to a request, or the end of the wait for it. */
export interface Reply {
  /** In milliseconds of the clock that all clients share. */
  readonly at: number
  readonly outcome: Outcome
  /** Undefined where the connection was lost. */
  readonly status: number | undefined
  /** The id that the answer names, where it names one. */
  readonly receipt: string | undefined
  /** Whether it is the kept answer of an earlier execution. */
  readonly isReplayed: boolean
}

/** What one client asked for, all times that it sent it under one key. */
export interface Operation {
  readonly client: string
  /** Whose account it moves. */
  readonly owner: string
  readonly key: string
  /** Whether it was sent without that key, once: then the nodes alone see to it that it counts once. */
  readonly isKeyless?: boolean
  /** What the event that it asks for has and no other one: an amount that is asked for once. */
  readonly mark: string
  /** Whether it was sent to one node, past the balancer. */
  readonly isDirect: boolean
  /** When it was first sent. */
  readonly began: number
  readonly replies: ReadonlyArray<Reply>
}

/** An event as the journal has it. */
export interface RecordedEvent {
  readonly seq: number
  /** Of the writer that appended it. */
  readonly term: number
  /** Undefined for events that no client asks for. */
  readonly mark: string | undefined
  readonly receipt: string | undefined
  /** What each subscriber is told of it; undefined if nothing. */
  readonly told: string | undefined
}

/** A client's look at its newest commitments, on one node. */
export interface Read {
  readonly client: string
  readonly owner: string
  readonly node: string
  readonly began: number
  /** The sequence of the position that it named, where it named one. */
  readonly named: number | undefined
  /** The sequence of the position that its answer carried. */
  readonly shown: number | undefined
  /** Ids of commitments, a few of the newest. */
  readonly receipts: ReadonlyArray<string>
}

/** What a subscriber was told of one event. */
export interface Told {
  readonly seq: number
  readonly what: string
  /** A digest of all its frames. */
  readonly digest: string
}

/** What one subscriber of one node was told. */
export interface Subscription {
  readonly node: string
  /** The sequence that it began behind. */
  readonly from: number
  /** In the order of arrival. */
  readonly told: ReadonlyArray<Told>
  /** What a subscriber is never told: that something was missed, or frames that do not follow from each other. */
  readonly faults: ReadonlyArray<string>
}

/** Everything that the clients of a cluster saw, and its journal at the end. */
export interface History {
  readonly operations: ReadonlyArray<Operation>
  readonly reads: ReadonlyArray<Read>
  readonly subscriptions: ReadonlyArray<Subscription>
  readonly journal: ReadonlyArray<RecordedEvent>
}

/** What must hold of every history. */
export const RULES = [
  "what was acknowledged is there once",
  "what was refused is not there",
  "what has no known outcome is there at most once, and a retry under its key tells the outcome",
  "all answers to one request are the same",
  "what is there was asked for",
  "what was acknowledged before a request began has a lower sequence",
  "a read is never older than what its client was acknowledged",
  "a read is never older than what another client was acknowledged",
  "a read tells only of what is in the journal",
  "each subscriber is told exactly the journal, in order",
  "the journal has no gap, and its terms never fall",
  "a read is never older than the position that it names, nor newer than the one that it shows"
] as const

export type Rule = (typeof RULES)[number]

/** A rule that a history breaks, and where. */
export interface Violation {
  readonly rule: Rule
  readonly what: string
}

/** The last answer that a request has. */
export const outcomeOf = ({ replies }: Operation): Outcome => replies.at(-1)?.outcome ?? "unknown"

/** The first time that the client was told that it was accepted. */
export const acknowledgedAt = ({ replies }: Operation): number | undefined =>
  replies.find(({ outcome }) => outcome === "accepted")?.at

/** Milliseconds as seconds of the history. */
const seconds = (at: number): string => `${(at / 1_000).toFixed(3)} s`

const named = ({ began, client, key, mark, replies }: Operation): string =>
  `${key} of ${client} (${mark}, sent at ${seconds(began)}; ${replies
    .map(({ at, outcome, status }) => `${outcome} ${status ?? "without an answer"} at ${seconds(at)}`)
    .join(", ")})`

/** The events of each mark. */
const byMark = (journal: ReadonlyArray<RecordedEvent>): ReadonlyMap<string, ReadonlyArray<RecordedEvent>> => {
  const found = new Map<string, Array<RecordedEvent>>()
  for (const event of journal) {
    if (event.mark === undefined) continue
    const events = found.get(event.mark)
    if (events === undefined) found.set(event.mark, [event])
    else events.push(event)
  }
  return found
}

type Marked = ReadonlyMap<string, ReadonlyArray<RecordedEvent>>

const sequences = (events: ReadonlyArray<RecordedEvent>): string =>
  events.length === 0 ? "nowhere" : `as ${events.map(({ seq }) => seq).join(" and ")}`

const countOf = (operation: Operation, events: ReadonlyArray<RecordedEvent>): ReadonlyArray<Violation> => {
  const where = `${named(operation)} is there ${sequences(events)}`
  switch (outcomeOf(operation)) {
    case "accepted":
      return events.length === 1 ? [] : [{ rule: RULES[0], what: where }]
    case "refused":
      return events.length === 0 ? [] : [{ rule: RULES[1], what: where }]
    case "unknown":
      if (operation.isKeyless === true) return events.length <= 1 ? [] : [{ rule: RULES[2], what: where }]
      return [{ rule: RULES[2], what: `no retry told the outcome, and ${where}` }]
  }
}

const answersOf = (operation: Operation, events: ReadonlyArray<RecordedEvent>): ReadonlyArray<Violation> => {
  const known = operation.replies.filter(({ outcome }) => outcome !== "unknown")
  const told = new Set(known.map(({ outcome, receipt }) => `${outcome} ${receipt ?? ""}`))
  const isOther = known.some(({ receipt }) => receipt !== undefined && events.some((one) => one.receipt !== receipt))
  if (told.size <= 1 && !isOther) return []
  const there = events.map(({ receipt = "" }) => receipt).join(" and ")
  return [{ rule: RULES[3], what: `${named(operation)} was told ${[...told].join(" and ")}; the journal has ${there}` }]
}

const counted = (operations: ReadonlyArray<Operation>, marked: Marked): ReadonlyArray<Violation> => {
  const asked = new Set(operations.map(({ mark }) => mark))
  const unasked = [...marked].filter(([mark]) => !asked.has(mark))
  return [
    ...operations.flatMap((operation) => {
      const events = marked.get(operation.mark) ?? []
      return [...countOf(operation, events), ...answersOf(operation, events)]
    }),
    ...unasked.map(([mark, events]) => ({ rule: RULES[4], what: `${mark} is there ${sequences(events)}` }))
  ]
}

/** An acknowledgement, and where the journal has what it is about. */
interface Acknowledged {
  readonly at: number
  readonly seq: number
  readonly operation: Operation
}

const acknowledgements = (operations: ReadonlyArray<Operation>, marked: Marked): ReadonlyArray<Acknowledged> =>
  operations
    .flatMap((operation) => {
      const at = acknowledgedAt(operation)
      const seq = marked.get(operation.mark)?.[0]?.seq
      return at === undefined || seq === undefined ? [] : [{ at, seq, operation }]
    })
    .toSorted((one, other) => one.at - other.at)

/** Calls for each moment, in their order, with the highest sequence acknowledged before it. */
const eachAfter = <T extends { readonly began: number }>(
  acknowledged: ReadonlyArray<Acknowledged>,
  moments: ReadonlyArray<T>,
  look: (moment: T, highest: Acknowledged) => void
): void => {
  let next = 0
  let highest: Acknowledged | undefined
  for (const moment of moments.toSorted((one, other) => one.began - other.began)) {
    for (let one = acknowledged[next]; one !== undefined && one.at < moment.began; one = acknowledged[++next]) {
      if (highest === undefined || one.seq > highest.seq) highest = one
    }
    if (highest !== undefined) look(moment, highest)
  }
}

/** Whoever begins after an acknowledgement, anywhere, comes after it in the journal. */
const ordered = (
  operations: ReadonlyArray<Operation>,
  acknowledged: ReadonlyArray<Acknowledged>,
  marked: Marked
): ReadonlyArray<Violation> => {
  const found: Array<Violation> = []
  eachAfter(acknowledged, operations, (operation, { operation: before, seq }) => {
    const own = marked.get(operation.mark)?.[0]?.seq
    if (own === undefined || own > seq) return
    found.push({ rule: RULES[5], what: `${named(before)} has ${seq}, and ${named(operation)} has ${own}` })
  })
  return found
}

const grouped = <T>(all: ReadonlyArray<T>, keyOf: (one: T) => string): ReadonlyMap<string, ReadonlyArray<T>> =>
  Map.groupBy(all, keyOf)

/** Reads of a group of clients against what that group was acknowledged. */
const staleReads = (
  rule: Rule,
  reads: ReadonlyMap<string, ReadonlyArray<Read>>,
  acknowledged: ReadonlyMap<string, ReadonlyArray<Acknowledged>>,
  positionOf: (read: Read) => number
): ReadonlyArray<Violation> => {
  const found: Array<Violation> = []
  for (const [name, some] of reads) {
    eachAfter(acknowledged.get(name) ?? [], some, (read, { operation, seq }) => {
      const position = positionOf(read)
      if (position >= seq || (rule === RULES[7] && operation.client === read.client)) return
      const { began, client, node } = read
      const what = `${client} read up to ${position} on ${node} at ${seconds(began)}; ${named(operation)} has ${seq}`
      found.push({ rule, what })
    })
  }
  return found
}

const fresh = (
  reads: ReadonlyArray<Read>,
  acknowledged: ReadonlyArray<Acknowledged>,
  journal: ReadonlyArray<RecordedEvent>
): ReadonlyArray<Violation> => {
  const places = new Map(
    journal.flatMap(({ receipt, seq }) => (receipt === undefined ? [] : [[receipt, seq] as const]))
  )
  const positionOf = ({ receipts }: Read): number => Math.max(0, ...receipts.map((id) => places.get(id) ?? 0))
  const unknown = reads.filter(({ receipts }) => receipts.some((id) => !places.has(id)))
  // Commitments alone: the reads are of those.
  const listed = acknowledged.filter(({ operation }) => operation.replies.some(({ receipt }) => receipt !== undefined))
  const own = staleReads(
    RULES[6],
    grouped(reads, ({ client }) => client),
    grouped(listed, ({ operation }) => operation.client),
    positionOf
  )
  const others = staleReads(
    RULES[7],
    grouped(reads, ({ owner }) => owner),
    grouped(listed, ({ operation }) => operation.owner),
    positionOf
  )
  return [
    ...own,
    ...others,
    ...unknown.map(({ began, client, node, receipts }) => ({
      rule: RULES[8],
      what: `${client} read ${receipts.filter((id) => !places.has(id)).join()} on ${node} at ${seconds(began)}`
    }))
  ]
}

/** Reads against their positions: of the one that a read names everything is there, and of behind the other one nothing. */
const positioned = (
  reads: ReadonlyArray<Read>,
  operations: ReadonlyArray<Operation>,
  journal: ReadonlyArray<RecordedEvent>
): ReadonlyArray<Violation> => {
  const owners = new Map(operations.map(({ mark, owner }) => [mark, owner]))
  const commitments = journal.filter(({ receipt }) => receipt !== undefined)
  const places = new Map(commitments.map(({ receipt, seq }) => [receipt, seq]))
  const owned = Map.groupBy(commitments, ({ mark = "" }) => owners.get(mark))
  return reads.flatMap((read) => {
    const { began, client, named, node, owner, receipts, shown = 0 } = read
    const newest = Math.max(0, ...receipts.map((id) => places.get(id) ?? 0))
    const before = (owned.get(owner) ?? []).findLast(({ seq }) => seq <= (named ?? 0))?.seq ?? 0
    if (newest >= before && newest <= shown && shown >= (named ?? 0)) return []
    const what =
      `${client} named ${named ?? "nothing"} on ${node} at ${seconds(began)}, was shown ${shown}, and read up to ` +
      `${newest}, where the journal has ${before}`
    return [{ rule: RULES[11], what }]
  })
}

/** The first place where a subscriber was told something else than the journal has. */
const told = ({ faults, from, node, told: all }: Subscription, journal: ReadonlyArray<RecordedEvent>) => {
  const last = journal.at(-1)?.seq ?? 0
  const expected = journal.filter((event) => event.seq > from && event.told !== undefined)
  const heard = all.filter(({ seq }) => seq <= last)
  const length = Math.max(expected.length, heard.length)
  const at = Array.from({ length }).findIndex(
    (_, index) => expected[index]?.seq !== heard[index]?.seq || expected[index]?.told !== heard[index]?.what
  )
  const [event, one] = [expected[at], heard[at]]
  const has = event === undefined ? "ends" : `has ${event.told} as ${event.seq}`
  const was = one === undefined ? "was told no more" : `was told ${one.what} as ${one.seq}`
  const texts = [...faults, ...(at < 0 ? [] : [`${was}, where the journal ${has}`])]
  return texts.map((text) => ({ rule: RULES[9], what: `the subscriber of ${node}: ${text}` }))
}

/** Frames that are not byte for byte those that another subscriber was told. */
const toldOtherwise = (subscriptions: ReadonlyArray<Subscription>): ReadonlyArray<Violation> => {
  const digests = new Map<number, string>()
  return subscriptions.flatMap(({ node, told: all }) => {
    const other = all.find(({ digest, seq }) => (digests.get(seq) ?? digest) !== digest)
    for (const { digest, seq } of all) digests.set(seq, digest)
    if (other === undefined) return []
    return [{ rule: RULES[9], what: `the subscriber of ${node} was told other frames of ${other.seq} than another` }]
  })
}

const gapless = (journal: ReadonlyArray<RecordedEvent>): ReadonlyArray<Violation> =>
  journal.flatMap((event, index) => {
    const before = journal[index - 1]
    if (before === undefined || (event.seq === before.seq + 1 && event.term >= before.term)) return []
    const what = `${event.seq} of term ${event.term} follows ${before.seq} of term ${before.term}`
    return [{ rule: RULES[10], what }]
  })

/** Judges what every client of a cluster saw. None is well. */
export const violationsOf = ({ journal, operations, reads, subscriptions }: History): ReadonlyArray<Violation> => {
  const marked = byMark(journal)
  const acknowledged = acknowledgements(operations, marked)
  return [
    ...counted(operations, marked),
    ...ordered(operations, acknowledged, marked),
    ...fresh(reads, acknowledged, journal),
    ...positioned(reads, operations, journal),
    ...subscriptions.flatMap((subscription) => told(subscription, journal)),
    ...toldOtherwise(subscriptions),
    ...gapless(journal)
  ]
}
