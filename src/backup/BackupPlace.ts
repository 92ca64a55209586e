import { Effect, Layer } from "effect"
import { BUCKET_SCHEME, bucketOf, hasScheme } from "../FilePlace.ts"
import type { SettingRefused } from "../Setting.ts"
import { BackupFailed, BackupStore } from "./BackupStore.ts"
import * as FolderBackups from "./FolderBackups.ts"

/** Backups where an argument says: in a folder, or in a bucket of a store that speaks S3. */
export const layer = (place: string): Layer.Layer<BackupStore, BackupFailed | SettingRefused> => {
  if (!hasScheme(place)) return FolderBackups.layer(place)
  const bucket = place.startsWith(BUCKET_SCHEME) ? bucketOf(place) : undefined
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
