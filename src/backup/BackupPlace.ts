import { Effect, Layer } from "effect"
import type { SettingRefused } from "../Setting.ts"
import { BackupFailed, BackupStore } from "./BackupStore.ts"
import * as FolderBackups from "./FolderBackups.ts"
import type { Bucket } from "./S3Backups.ts"

const SCHEME = "s3://"

/** Names of buckets as all stores take them. */
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/

/** The bucket that `s3://bucket/prefix` names; undefined if it names none that can be. */
export const bucketOf = (place: string): Bucket | undefined => {
  const [bucket = "", ...parts] = place.slice(SCHEME.length).split("/")
  if (!BUCKET.test(bucket)) return undefined
  const named = parts.filter((part) => part !== "")
  return { bucket, prefix: named.map((part) => `${part}/`).join("") }
}

/** Backups where an argument says: in a folder, or in a bucket of a store that speaks S3. */
export const layer = (place: string): Layer.Layer<BackupStore, BackupFailed | SettingRefused> => {
  if (!place.startsWith(SCHEME)) return FolderBackups.layer(place)
  const bucket = bucketOf(place)
  if (bucket === undefined) {
    const message = `${place} names no bucket: expected s3://bucket or s3://bucket/prefix.`
    return Layer.effect(BackupStore, new BackupFailed({ message }))
  }
  // The library is large: it is loaded where it is needed.
  return Layer.unwrap(
    Effect.map(
      Effect.promise(() => import("./S3Backups.ts")),
      (store) => store.layer(bucket)
    )
  )
}
