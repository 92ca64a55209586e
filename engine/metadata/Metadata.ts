import { Data, Result, Schema } from "effect"

/** Keys that one thing may have. */
export const MAX_METADATA_KEYS = 20

/** A change would leave more metadata than a thing may have. */
export class TooMuchMetadata extends Data.TaggedError("TooMuchMetadata")<{ readonly most: number }> {}

/** What a caller keeps with a thing, by keys of its own; sorted by them. */
export const Metadata = Schema.Record(Schema.String, Schema.String)
export type Metadata = typeof Metadata.Type

/** Values to be set by their keys; `null` and `""` remove a key. Null instead of all removes every key. */
export type MetadataChange = Readonly<Record<string, string | null>> | null

/** Metadata as text, which is the same for the same. */
export const metadataText = (metadata: Metadata = {}): string => JSON.stringify(metadata)

const sorted = (entries: Iterable<readonly [string, string]>): Metadata =>
  Object.fromEntries([...entries].toSorted(([one], [other]) => (one < other ? -1 : 1)))

/** The metadata with a change merged in: keys that the change does not name stay. */
export const mergedMetadata = (
  before: Metadata = {},
  change: MetadataChange
): Result.Result<Metadata, TooMuchMetadata> => {
  if (change === null) return Result.succeed({})
  const merged = new Map(Object.entries(before))
  for (const [key, value] of Object.entries(change)) {
    if (value === null || value === "") merged.delete(key)
    else merged.set(key, value)
  }
  return merged.size > MAX_METADATA_KEYS
    ? Result.fail(new TooMuchMetadata({ most: MAX_METADATA_KEYS }))
    : Result.succeed(sorted(merged))
}

/** The metadata of something new, as a part of what is recorded: nothing where there is none. */
export const newMetadata = (given: Metadata = {}): { readonly metadata?: Metadata } => {
  const kept = Object.entries(given).filter(([, value]) => value !== "")
  return kept.length === 0 ? {} : { metadata: sorted(kept) }
}
