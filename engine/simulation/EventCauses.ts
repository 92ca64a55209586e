/** The causes by which events say that they came, of those that name several. */

import { EVENTS, membersOf } from "../replay/PlatformEvent.ts"

/** The fields in which an event says why it came. */
const FIELDS = ["cause", "reason"] as const

type Field = (typeof FIELDS)[number]

/** Where an event says why it came, and what it can say there. */
interface Causes {
  readonly field: Field
  readonly words: ReadonlyArray<string>
}

/** The words of a schema that is one of several words, or null. */
const wordsOf = (schema: unknown): ReadonlyArray<string> => {
  if (typeof schema !== "object" && typeof schema !== "function") return []
  if (schema === null) return []
  if ("literals" in schema && Array.isArray(schema.literals)) return schema.literals.map(String)
  return "members" in schema && Array.isArray(schema.members) ? schema.members.flatMap(wordsOf) : []
}

const causesOf = (member: object): Causes | undefined => {
  const fields = "fields" in member && typeof member.fields === "object" ? { ...member.fields } : {}
  const found = Object.entries(fields).flatMap(([name, schema]): ReadonlyArray<Causes> => {
    const field = FIELDS.find((one) => one === name)
    const words = field === undefined ? [] : wordsOf(schema)
    return field !== undefined && words.length > 1 ? [{ field, words }] : []
  })
  return found[0]
}

const CAUSES: ReadonlyMap<string, Causes> = new Map(
  Object.values(EVENTS)
    .flatMap(membersOf)
    .flatMap(([tag, member]) => {
      const causes = causesOf(member)
      return causes === undefined ? [] : [[tag, causes] as const]
    })
)

const named = (tag: string, word: string): string => `${tag} by ${word}`

/** What an event came by, such as `CommitmentHaltSet by restarted`; undefined where it names none of several causes. */
export const causeOf = (event: { readonly _tag: string }): string | undefined => {
  const causes = CAUSES.get(event._tag)
  if (causes === undefined) return undefined
  const word: unknown = Object.entries(event).find(([name]) => name === causes.field)?.[1]
  return typeof word === "string" ? named(event._tag, word) : undefined
}

/** Every cause by which these events can come, in the order of the names. */
export const causesWith = (tags: ReadonlyArray<string>): ReadonlyArray<string> =>
  tags.flatMap((tag) => (CAUSES.get(tag)?.words ?? []).map((word) => named(tag, word))).toSorted()
