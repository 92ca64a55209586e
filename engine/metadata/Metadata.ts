import { Result, Schema } from "effect"
import { refusal } from "../wire/Refusal.ts"

/** Keys that one thing may have. */
export const MAX_METADATA_KEYS = 20

/** A change would leave more metadata than a thing may have. */
export class TooMuchMetadata extends refusal(
  "TooMuchMetadata",
  "unprocessable",
  ({ most }: { readonly most: number }) => `payload.metadata: Expected at most ${most} keys with those that are there`
) {}

/** What a caller keeps with a thing, by keys of its own; sorted by them. */
export const Metadata = Schema.Record(Schema.String, Schema.String)
export type Metadata = typeof Metadata.Type

/** Values to be set by their keys; `null` and `""` remove a key. Null instead of all removes every key. */
export type MetadataChange = Readonly<Record<string, string | null>> | null

/** One key of metadata and its value. */
export interface MetadataPair {
  readonly key: string
  readonly value: string
}

const decode = Schema.decodeSync(Schema.fromJsonString(Metadata))

/** What the column `metadata` of a row says, where it says anything. */
export const metadataColumn = ({ metadata }: { readonly metadata: string }): { readonly metadata?: Metadata } =>
  metadata === "{}" ? {} : { metadata: decode(metadata) }

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

/** The metadata of something new, as it is recorded, without what `null` and `""` remove; undefined where there is none. */
export const newMetadata = (given: NonNullable<MetadataChange>): Metadata | undefined => {
  const kept = Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== null && entry[1] !== "")
  return kept.length === 0 ? undefined : sorted(kept)
}
