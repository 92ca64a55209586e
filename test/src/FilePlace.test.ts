import { describe, expect, it } from "bun:test"
import { resolve } from "node:path"
import { bucketOf, place, typedPlace } from "../../src/FilePlace.ts"

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

  it("is an absolute path or a bucket as a setting, and nothing that only looks like one", () => {
    const right = ["/archives", "/archives/a b", "s3://archives/a"]
    expect(right.map(place.parse)).toEqual(right)
    const wrong = [
      "archives",
      "./archives",
      "~/archives",
      "s3:/archives",
      "s3://A",
      "s3:",
      "S3://archives",
      "gs://archives/a",
      "https://archives.example/a",
      "file:///archives",
      ""
    ]
    expect(wrong.map(place.parse)).toEqual(wrong.map(() => undefined))
  })

  it("may be a folder below the present one where it is typed", () => {
    expect(["/archives", "archives", "../archives", "s3://archives/a"].map(typedPlace.parse)).toEqual([
      "/archives",
      resolve("archives"),
      resolve("../archives"),
      "s3://archives/a"
    ])
    const wrong = ["gs://archives/a", "S3://archives", "s3:/archives", "s3://A", "file:///archives", ""]
    expect(wrong.map(typedPlace.parse)).toEqual(wrong.map(() => undefined))
  })
})
