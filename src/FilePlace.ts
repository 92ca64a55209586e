/** Where files are kept: a folder, or a bucket of a store that speaks S3. */

import { isAbsolute, resolve } from "node:path"
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

/** What a URL begins with. */
const SCHEME = /^[a-z][a-z0-9+.-]*:/i

/** Whether a place begins as a URL does, whose scheme may be one that nobody knows here. */
export const hasScheme = (place: string): boolean => SCHEME.test(place)

/** A bucket's place as it is; undefined if it names none that can be. */
const bucketPlace = (text: string): string | undefined =>
  text.startsWith(BUCKET_SCHEME) && bucketOf(text) !== undefined ? text : undefined

/** A place as a setting names it: the same wherever the program was started. */
export const place: Reading<string> = {
  expected: "the absolute path of a folder, such as /archives/emporion, or a bucket, such as s3://archives/emporion",
  parse: (text) => (isAbsolute(text) ? text : bucketPlace(text))
}

/** A place as somebody types it, who may mean a folder below the present one. */
export const typedPlace: Reading<string> = {
  expected: "a folder, or a bucket such as s3://archives/emporion",
  parse: (text) => (hasScheme(text) ? bucketPlace(text) : text === "" ? undefined : resolve(text))
}
