/** The subjects of event types by what their names begin with, in the sequence in which they are shown. */
const SUBJECTS: ReadonlyArray<readonly [prefix: string, title: string]> = [
  ["order", "Orders"],
  ["payment", "Payments"],
  ["subscription", "Subscriptions"],
  ["credit", "Credit"],
  ["company", "Company"],
  ["webhook", "Webhooks"]
]

const subjectOf = (type: string): string => type.slice(0, Math.max(0, type.indexOf(".")))

/** Event types of one subject. */
export interface EventGroup<A> {
  readonly title: string
  readonly types: ReadonlyArray<A>
}

/** Event types by their subject. What is of none that is known stands under "Other". */
export const eventGroups = <A extends { readonly type: string }>(
  types: ReadonlyArray<A>
): ReadonlyArray<EventGroup<A>> => {
  const known = new Set(SUBJECTS.map(([prefix]) => prefix))
  const groups = SUBJECTS.map(([prefix, title]) => ({
    title,
    types: types.filter(({ type }) => subjectOf(type) === prefix)
  }))
  const other = { title: "Other", types: types.filter(({ type }) => !known.has(subjectOf(type))) }
  return [...groups, other].filter((group) => group.types.length > 0)
}

/** What an endpoint gets, in few words. */
export const eventsSummary = (events: ReadonlyArray<string>): string => {
  if (events.includes("*")) return "All events"
  const [first = "None", second] = events
  if (events.length <= 1) return first
  return events.length === 2 ? `${first}, ${second}` : `${first} and ${events.length - 1} more`
}
