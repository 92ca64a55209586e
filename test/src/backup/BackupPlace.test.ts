import { describe, expect, it } from "bun:test"
import { Effect, Layer } from "effect"
import { join } from "node:path"
import { bucketOf, layer } from "../../../src/backup/BackupPlace.ts"
import { BackupStore } from "../../../src/backup/BackupStore.ts"
import { itLive } from "../../lib/Effects.ts"
import { temporaryFolder } from "../../lib/TemporaryFolder.ts"

describe("A backup's place", () => {
  it("is a bucket and a prefix of whole parts", () => {
    expect(
      ["s3://backups", "s3://backups/", "s3://backups/of/emporion", "s3://backups//of/"].map((place) => bucketOf(place))
    ).toEqual([
      { bucket: "backups", prefix: "" },
      { bucket: "backups", prefix: "" },
      { bucket: "backups", prefix: "of/emporion/" },
      { bucket: "backups", prefix: "of/" }
    ])
    expect(["s3://", "s3:///of", "s3://B", "s3://a", "s3://back ups"].map((place) => bucketOf(place))).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      undefined
    ])
  })

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
})
