import { acknowledgedAt, type Operation } from "./History.ts"
import { type NodeProcess, ROOT } from "./NodeProcess.ts"
import type { SmallCluster } from "./SmallCluster.ts"

/** How long both nodes are there before a hand-over, and the next one is alone behind it, in milliseconds. */
const CALM = 1_500

/** One time that a new process took over from the one before. */
export interface HandedOver {
  /** When the old one was told to stop, in milliseconds of the clients' clock. */
  readonly at: number
  /** The same in milliseconds since 1970, by the clock of this machine. */
  readonly signalled: number
  /** When it had ended. */
  readonly ended: number
  readonly from: string
  readonly to: string
  /** Its exit code; null where a signal ended it. */
  readonly code: number | null
}

/** What the clients noticed of a hand-over, in milliseconds. */
export interface Pause {
  /** The longest time in which nobody was acknowledged anything. */
  readonly overall: number
  /** The longest of each client. */
  readonly perClient: ReadonlyArray<number>
}

/** Replaces the one node of a cluster as an update does: a new process starts beside it, and then the old one is stopped. */
export class HandOvers {
  readonly #cluster: SmallCluster
  readonly #now: () => number
  readonly #program: string
  #old: NodeProcess
  #next: NodeProcess

  private constructor(cluster: SmallCluster, now: () => number, program: string, old: NodeProcess, next: NodeProcess) {
    this.#cluster = cluster
    this.#now = now
    this.#program = program
    this.#old = old
    this.#next = next
  }

  /**
   * Leaves a cluster of two nodes one.
   *
   * @param program - the folder of the program that takes over
   */
  static async on(cluster: SmallCluster, now: () => number, program = ROOT): Promise<HandOvers> {
    const [old, next] = cluster.nodes
    if (old === undefined || next === undefined) throw new Error("a hand-over needs two places")
    await next.end()
    return new HandOvers(cluster, now, program, old, next)
  }

  /** Hands over once. */
  async one(): Promise<HandedOver> {
    const [old, next] = [this.#old, this.#next]
    await this.begin()
    await Bun.sleep(CALM)
    const at = this.#now()
    const signalled = performance.timeOrigin + performance.now()
    const code = await old.end()
    const ended = this.#now()
    this.#old = next
    this.#next = old
    await Bun.sleep(CALM)
    return { at, signalled, ended, from: old.place.name, to: next.place.name, code }
  }

  /** Starts the next process, and waits until it may take over. */
  async begin(): Promise<void> {
    this.#next.begin(this.#program)
    await this.#cluster.ready()
  }
}

/** The longest gap between two neighbours of a sorted list that lies within a span, or reaches into it. */
const longestGap = (sorted: ReadonlyArray<number>, from: number, to: number): number => {
  let longest = 0
  for (const [index, at] of sorted.entries()) {
    const before = sorted[index - 1]
    if (before !== undefined && at > from && before < to) longest = Math.max(longest, at - before)
  }
  return longest
}

/** From the first request until somebody looks, with all that was acknowledged between. */
const edges = (operations: ReadonlyArray<Operation>, until: number): ReadonlyArray<number> => {
  const first = operations.reduce((earliest, { began }) => Math.min(earliest, began), until)
  const times = operations.flatMap((operation) => acknowledgedAt(operation) ?? []).toSorted((one, other) => one - other)
  return [first, ...times, Math.max(times.at(-1) ?? until, until)]
}

/**
 * What each hand-over cost: the longest gaps between acknowledgements from its begin until the old process had ended.
 *
 * @param until - when somebody looks, in milliseconds of the clients' clock: a gap that lasts is as long as until then
 */
export const pauses = (
  handOvers: ReadonlyArray<HandedOver>,
  operations: ReadonlyArray<Operation>,
  until: number
): ReadonlyArray<Pause> => {
  const all = edges(operations, until)
  const clients = [...Map.groupBy(operations, ({ client }) => client).values()].map((own) => edges(own, until))
  return handOvers.map(({ at, ended }) => ({
    overall: longestGap(all, at, ended),
    perClient: clients.map((times) => longestGap(times, at, ended))
  }))
}

const median = (sorted: ReadonlyArray<number>): number => sorted[Math.floor(sorted.length / 2)] ?? 0

const spread = (what: string, times: ReadonlyArray<number>): string => {
  const sorted = times.toSorted((one, other) => one - other)
  return `${what}: half within ${(median(sorted) / 1_000).toFixed(2)} s, all within ${((sorted.at(-1) ?? 0) / 1_000).toFixed(2)} s`
}

/** The pauses of all hand-overs, a line each. */
export const pauseText = (found: ReadonlyArray<Pause>, handOvers: ReadonlyArray<HandedOver>): string =>
  [
    spread(
      "nobody was acknowledged anything",
      found.map(({ overall }) => overall)
    ),
    spread(
      "one client was not",
      found.flatMap(({ perClient }) => perClient)
    ),
    spread(
      "the old process ended",
      handOvers.map(({ at, ended }) => ended - at)
    )
  ].join("\n")

/** Processes that did not end as they should. */
export const badEnds = (handOvers: ReadonlyArray<HandedOver>) =>
  handOvers
    .filter(({ code }) => code !== 0)
    .map(({ at, code, from }) => ({
      rule: "whoever hands over ends with 0",
      what: `${from}, told to stop at ${(at / 1_000).toFixed(3)} s, ended with ${code ?? "a signal"}`
    }))
