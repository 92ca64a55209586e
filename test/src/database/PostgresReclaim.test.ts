import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { spawn, spawnSync } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { placeIn } from "../../../src/database/PostgresCluster.ts"
import type { ClusterPlace } from "../../../src/database/PostgresCluster.ts"
import { postmasterFile, readPostmaster } from "../../../src/database/Postmaster.ts"
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

/** As PostgreSQL does, it has the cluster in its command line and removes its record on an interrupt. */
const STAND_IN = `trap 'rm "$0/postmaster.pid"; exit' INT
  printf '%s\\n\\n\\n\\n\\n\\n\\nready\\n' $$ > "$0/draft" && mv "$0/draft" "$0/postmaster.pid"
  while :; do sleep 0.02; done`

/** One that is killed by an interrupt: it leaves its record, and its parent, which is stopped, does not wait for it. */
const DYING = `sh -c 'printf "%s\\n\\n\\n\\n\\n\\n\\nready\\n" $$ > "$0/draft" && mv "$0/draft" "$0/postmaster.pid"
  while :; do sleep 0.02; done' "$0"; exit`

const standIn = Effect.fnUntraced(function* (place: ClusterPlace, program = STAND_IN) {
  const child = yield* Effect.acquireRelease(
    Effect.sync(() => spawn("sh", ["-c", program, place.cluster], { stdio: "ignore" })),
    (started) => Effect.sync(() => started.kill("SIGKILL"))
  )
  while (readPostmaster(place.cluster) === undefined) yield* Effect.sleep(5)
  return child
})

/** Whether a process is stopped: one that was told to may still take one step more. */
const isStopped = (pid: number): boolean => {
  if (process.platform !== "linux") return spawnSync("ps", ["-o", "state=", "-p", `${pid}`]).stdout.includes("T")
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
  return stat.slice(stat.lastIndexOf(")") + 2).startsWith("T")
}

describe("reclaiming a data folder", () => {
  itLive("does nothing where no PostgreSQL ran, or where it is gone", () =>
    Effect.gen(function* () {
      const place = yield* emptyPlace
      yield* reclaim(place)
      record(place, spawnSync("true").pid)
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

  itLive("removes the record of one that nobody waits for once it has ended", () =>
    Effect.gen(function* () {
      const place = yield* emptyPlace
      const parent = yield* standIn(place, DYING)
      const postmaster = readPostmaster(place.cluster)?.pid ?? 0
      parent.kill("SIGSTOP")
      while (!isStopped(parent.pid ?? 0)) yield* Effect.sleep(5)
      writeFileSync(`${place.dataDir}/postgres.owner`, `1 ${postmaster}\n`)
      yield* reclaim(place)
      expect(process.kill(postmaster, 0)).toBe(true)
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
