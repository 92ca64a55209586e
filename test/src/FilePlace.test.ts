import { describe, expect, it } from "bun:test"
import { bucketOf, place } from "../../src/FilePlace.ts"

describe("A place of files", () => {
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

  it("is any folder, and no bucket that cannot be", () => {
    expect(["/archives", "archives", "s3://archives/a"].map(place.parse)).toEqual([
      "/archives",
      "archives",
      "s3://archives/a"
    ])
    expect(["s3:/archives", "s3://A", "s3:"].map(place.parse)).toEqual([undefined, undefined, undefined])
  })
})
