/** The place of an archive, whose every call ends: a folder of another machine may not answer for ever. */

import { Effect } from "effect"
import { BackupFailed, type BackupStore } from "./BackupStore.ts"

/** Milliseconds after which a call to the place of an archive is given up. */
export const LONGEST_CALL = 300_000

const SECOND = 1_000

/**
 * A store of which a call that takes longer fails, and says so.
 *
 * @param millis - the longest call
 */
export const bounded = (store: BackupStore["Service"], millis: number = LONGEST_CALL): BackupStore["Service"] => {
  const within = <A>(name: string, call: Effect.Effect<A, BackupFailed>): Effect.Effect<A, BackupFailed> =>
    Effect.timeoutOrElse(call, {
      duration: millis,
      orElse: () =>
        new BackupFailed({
          message: `${store.place} did not answer for ${name} within ${millis / SECOND} seconds: see whether it can be reached.`
        })
    })
  return {
    place: store.place,
    put: (name, bytes) => within(name, store.put(name, bytes)),
    get: (name) => within(name, store.get(name)),
    size: (name) => within(name, store.size(name)),
    list: (folder, after) => within(folder, store.list(folder, after)),
    stamp: (folder) => within(folder, store.stamp(folder)),
    remove: (name) => within(name, store.remove(name))
  }
}
