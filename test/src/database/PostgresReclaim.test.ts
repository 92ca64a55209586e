import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { spawn } from "node:child_process"
import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { placeIn } from "../../../src/database/PostgresCluster.ts"
import type { ClusterPlace } from "../../../src/database/PostgresCluster.ts"
import { postmasterFile } from "../../../src/database/Postmaster.ts"
import { reclaim, recordOwner } from "../../../src/database/PostgresReclaim.ts"
import { itLive } from "../../lib/Effects.ts"
import { temporaryFolder } from "../../lib/TemporaryFolder.ts"

const emptyPlace = Effect.map(temporaryFolder, (folder) => {
  const place = placeIn(folder)
  mkdirSync(place.cluster)
  return place
})

const record = (place: ClusterPlace, pid: number): void =>
  writeFileSync(postmasterFile(place.cluster), `${pid}\n${place.cluster}\n1\n5432\n/s\n\n0\nready   \n`)

/** A program that has the cluster in its command line and, as PostgreSQL does, removes its record on an interrupt. */
const standIn = (
  place: ClusterPlace,
  script = "trap 'rm \"$0/postmaster.pid\"; exit' INT; while :; do sleep 0.02; done"
) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const child = spawn("sh", ["-c", script, place.cluster], { stdio: "ignore" })
      record(place, child.pid ?? 0)
      return child
    }),
    (child) => Effect.sync(() => child.kill("SIGKILL"))
  )

describe("reclaiming a data folder", () => {
  itLive("does nothing where no PostgreSQL ran, or where it is gone", () =>
    Effect.gen(function* () {
      const place = yield* emptyPlace
      yield* reclaim(place)
      const child = yield* standIn(place, "exit 0")
      yield* Effect.promise(() => new Promise((resolve) => child.once("exit", resolve)))
      yield* reclaim(place)
    })
  )

  itLive("shuts down one whose owner is not its parent any more", () =>
    Effect.gen(function* () {
      const place = yield* emptyPlace
      const child = yield* standIn(place)
      writeFileSync(`${place.dataDir}/postgres.owner`, `1 ${child.pid}\n`)
      yield* reclaim(place)
      expect(existsSync(postmasterFile(place.cluster))).toBe(false)
    })
  )

  itLive("refuses one whose owner lives, and leaves it alone", () =>
    Effect.gen(function* () {
      const place = yield* emptyPlace
      const child = yield* standIn(place)
      recordOwner(place, child.pid ?? 0)
      const error = yield* Effect.flip(reclaim(place))
      expect(error.message).toStartWith(
        `DATA_DIR ${place.dataDir} is in use by another server (process ${process.pid})`
      )
      expect(child.exitCode).toBeNull()
    })
  )

  itLive("removes the record of one whose number another program has got", () =>
    Effect.gen(function* () {
      const place = yield* emptyPlace
      record(place, process.pid)
      yield* reclaim(place)
      expect(existsSync(postmasterFile(place.cluster))).toBe(false)
    })
  )
})
