/** What happened on one UTC day. */
export interface DayGroup<A> {
  /** `YYYY-MM-DD`. */
  readonly day: string
  readonly entries: ReadonlyArray<A>
}

const DAY = 86_400_000

const dayOf = (at: number): string => new Date(Math.floor(at / DAY) * DAY).toISOString().slice(0, 10)

/**
 * Entries by UTC day, in the sequence in which they are given.
 *
 * @param at - when an entry was, in milliseconds since 1970
 */
export const dayGroups = <A>(entries: ReadonlyArray<A>, at: (entry: A) => number): ReadonlyArray<DayGroup<A>> => {
  const groups: Array<{ readonly day: string; readonly entries: Array<A> }> = []
  for (const entry of entries) {
    const day = dayOf(at(entry))
    const last = groups.at(-1)
    if (last?.day === day) last.entries.push(entry)
    else groups.push({ day, entries: [entry] })
  }
  return groups
}
