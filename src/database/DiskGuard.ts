import { Context, Effect, Layer, Metric } from "effect"
import { statfsSync } from "node:fs"
import { ApiError } from "../api/ApiError.ts"
import { Settings } from "../Config.ts"
import * as Worker from "../Worker.ts"

const MIB = 1024 * 1024

/** Free bytes below which nothing is written: what is under way, and PostgreSQL's own log, still have room then. */
export const RESERVE = 256 * MIB

/** Free bytes from which it is written again: more, so that a disk at the edge does not stop and go. */
export const ENOUGH = 320 * MIB

/** The used part of the disk that is worth a warning. */
const WARNED = 0.8

/** How often the disk is looked at: in between, writes may take at most what is reserved. */
const LOOK = "500 millis"

/** Seconds after which a refused write may be tried again. */
const RETRY_AFTER = 5

const FULL =
  "The server's disk is almost full, and it writes nothing until there is room: reads go on, send this again after Retry-After."

/** Bytes of the file system, and those that this user may still take. */
export interface DiskSpace {
  readonly total: number
  readonly free: number
}

/** What a disk allows. */
export type DiskState = "ok" | "warned" | "full"

/** What the disk allows now, if it allowed `before` until now. */
export const stateOf = ({ free, total }: DiskSpace, before: DiskState): DiskState => {
  if (free < (before === "full" ? ENOUGH : RESERVE)) return "full"
  return total > 0 && 1 - free / total >= WARNED ? "warned" : "ok"
}

const freeBytes = Metric.gauge("emporion_disk_free_bytes", {
  description: "Bytes that are free for the data folder of the embedded database"
})

const refusing = Metric.gauge("emporion_disk_writes_refused", {
  description: "1 while nothing is written because the disk is almost full, else 0"
})

const said = (state: DiskState, { free }: DiskSpace): Effect.Effect<void> => {
  const room = `${Math.floor(free / MIB)} MiB are free`
  if (state === "full")
    return Effect.logError(`The disk is almost full, ${room}: nothing is written until ${ENOUGH / MIB} MiB are`)
  if (state === "warned")
    return Effect.logWarning(`The disk is ${WARNED * 100} % full, ${room}: make room before writes stop`)
  return Effect.logInfo(`The disk has room again: ${room}`)
}

/** Looks again and again, and answers whether the disk is too full to write. */
export const watching = Effect.fnUntraced(function* (look: () => DiskSpace) {
  let state: DiskState = "ok"
  yield* Worker.every(
    LOOK,
    "The disk",
    Effect.suspend(() => {
      const space = look()
      const before = state
      state = stateOf(space, before)
      const counted = Effect.andThen(
        Metric.update(freeBytes, space.free),
        Metric.update(refusing, state === "full" ? 1 : 0)
      )
      return state === before ? counted : Effect.andThen(counted, said(state, space))
    })
  )
  return () => state === "full"
})

/**
 * Whether the disk is too full to write. The database's own server would stop in the middle of a write, and not start
 * again before somebody makes room; so the program stops first, and goes on by itself. Of a PostgreSQL elsewhere nobody
 * sees the disk: there it never is.
 */
export const DiskGuard = Context.Reference<{ readonly isFull: () => boolean }>("emporion/database/DiskGuard", {
  defaultValue: () => ({ isFull: () => false })
})

/** The refusal of a write. */
export const refusalOf = (): ApiError => new ApiError("unavailable", FULL, RETRY_AFTER)

/** Looks at the disk of the embedded database. */
export const layer: Layer.Layer<never, never, Settings> = Layer.effect(
  DiskGuard,
  Effect.gen(function* () {
    const { database, dataDir } = yield* Settings
    if (database.url !== undefined) return yield* DiskGuard
    const isFull = yield* watching(() => {
      const { bavail, blocks, bsize } = statfsSync(dataDir)
      return { total: blocks * bsize, free: bavail * bsize }
    })
    return { isFull }
  })
)
