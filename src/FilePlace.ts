/** Where files are kept: a folder, or a bucket of a store that speaks S3. */

import type { Reading } from "./Setting.ts"

/** A bucket, and what the names of the objects in it begin with. */
export interface Bucket {
  readonly bucket: string
  /** Empty, or ends with a slash. */
  readonly prefix: string
}

/** What a place begins with that is a bucket. */
export const BUCKET_SCHEME = "s3://"

/** Names of buckets as all stores take them. */
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/

/** The bucket that `s3://bucket/prefix` names; undefined if it names none that can be. */
export const bucketOf = (place: string): Bucket | undefined => {
  const [bucket = "", ...parts] = place.slice(BUCKET_SCHEME.length).split("/")
  if (!BUCKET.test(bucket)) return undefined
  const named = parts.filter((part) => part !== "")
  return { bucket, prefix: named.map((part) => `${part}/`).join("") }
}

/** A place, as a setting or a flag names it. */
export const place: Reading<string> = {
  expected: "a folder, or a bucket such as s3://bucket/prefix",
  parse: (text) => {
    const isWrong = text.startsWith("s3:") && (!text.startsWith(BUCKET_SCHEME) || bucketOf(text) === undefined)
    return isWrong ? undefined : text
  }
}
