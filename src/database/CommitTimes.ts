import { Context, Layer } from "effect"

/** Groups whose times are remembered: at least the last {@link KEPT}, at most twice as many. */
const KEPT = 4_096

/** When the group of an event was written. Times are nanoseconds of the monotonic clock. */
export interface GroupTimes {
  /** When it was sent to the journal. */
  readonly sentAt: bigint
  /** When the tables had it; undefined while they do not. */
  readonly projectedAt: bigint | undefined
}

interface Group {
  readonly firstSeq: number
  readonly lastSeq: number
  readonly sentAt: bigint
  projectedAt: bigint | undefined
}

/** When the last groups were written, so that a slow request can be explained. A group costs one object. */
export class CommitTimes {
  /** By their sequences. */
  readonly #groups: Array<Group> = []

  /** Notes that a group is sent to the journal. Whatever began there before was not written. */
  sent(firstSeq: number, lastSeq: number, sentAt: bigint): void {
    while ((this.#groups.at(-1)?.lastSeq ?? 0) >= firstSeq) this.#groups.pop()
    this.#groups.push({ firstSeq, lastSeq, sentAt, projectedAt: undefined })
    if (this.#groups.length > 2 * KEPT) this.#groups.splice(0, KEPT)
  }

  /** Notes that the tables have all groups behind one sequence and up to another one. */
  projected(behind: number, upTo: number, projectedAt: bigint): void {
    for (let index = this.#indexOf(behind + 1); index < this.#groups.length; index++) {
      const group = this.#groups[index]
      if (group === undefined || group.lastSeq > upTo) return
      group.projectedAt = projectedAt
    }
  }

  /** The times of an event's group, while they are remembered. */
  of(seq: number): GroupTimes | undefined {
    const group = this.#groups[this.#indexOf(seq)]
    return group !== undefined && group.firstSeq <= seq ? group : undefined
  }

  /** The first group that ends at a sequence or later. */
  #indexOf(seq: number): number {
    let [low, high] = [0, this.#groups.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#groups[middle]?.lastSeq ?? seq) < seq) low = middle + 1
      else high = middle
    }
    return low
  }
}

/** The times of the groups that this server writes. */
export const RecentCommits = Context.Reference<CommitTimes>("emporion/database/RecentCommits", {
  defaultValue: () => new CommitTimes()
})

/** Times of one server's own, whatever else the process writes. */
export const layer: Layer.Layer<never> = Layer.sync(RecentCommits, () => new CommitTimes())
