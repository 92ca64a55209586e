import { describe, expect } from "bun:test"
import { Effect, Layer } from "effect"
import { join } from "node:path"
import { layer } from "../../../src/backup/BackupPlace.ts"
import { BackupStore } from "../../../src/backup/BackupStore.ts"
import { itLive } from "../../lib/Effects.ts"
import { temporaryFolder } from "../../lib/TemporaryFolder.ts"

describe("A backup's place", () => {
  itLive("is a folder otherwise", () =>
    Effect.gen(function* () {
      const folder = join(yield* temporaryFolder, "s3")
      const place = yield* Effect.provide(
        Effect.map(BackupStore, (store) => store.place),
        Layer.fresh(layer(folder))
      )
      expect(place).toBe(folder)
    })
  )

  itLive("is no folder where it names another kind of place", () =>
    Effect.gen(function* () {
      for (const place of ["gs://backups", "S3://backups", "s3:/backups"]) {
        const { message } = yield* Effect.flip(Layer.build(layer(place)))
        expect(message).toStartWith(`${place} names no bucket: expected s3://bucket or s3://bucket/prefix`)
      }
    })
  )
})
