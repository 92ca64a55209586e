import { describe, expect } from "bun:test"
import { Context, Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { join } from "node:path"
import { BackupStore } from "../../../src/backup/BackupStore.ts"
import { bounded, LONGEST_CALL } from "../../../src/backup/BoundedCalls.ts"
import * as FolderBackups from "../../../src/backup/FolderBackups.ts"
import { itEffect } from "../../lib/Effects.ts"
import { temporaryFolder } from "../../lib/TemporaryFolder.ts"

const hanging: BackupStore["Service"] = {
  place: "/archives",
  put: () => Effect.never,
  get: () => Effect.never,
  size: () => Effect.never,
  list: () => Effect.never,
  stamp: () => Effect.never,
  remove: () => Effect.never
}

describe("A bounded store", () => {
  itEffect("ends every call, and names the place and the file", () =>
    Effect.gen(function* () {
      const store = bounded(hanging)
      const calls = [
        store.put("a/1", Uint8Array.of(1)),
        store.get("a/1"),
        store.size("a/1"),
        store.list("a"),
        store.stamp("a"),
        store.remove("a/1")
      ]
      for (const call of calls) {
        const fiber = yield* Effect.forkChild(Effect.flip(Effect.asVoid(call)), { startImmediately: true })
        yield* TestClock.adjust(LONGEST_CALL)
        expect((yield* Fiber.join(fiber)).message).toMatch(
          /^\/archives did not answer for a(\/1)? within 300 seconds: see whether it can be reached\.$/
        )
      }
    })
  )

  itEffect("is the store otherwise", () =>
    Effect.gen(function* () {
      const folder = join(yield* temporaryFolder, "archive")
      const store = bounded(Context.get(yield* Layer.build(FolderBackups.layer(folder)), BackupStore))
      expect(store.place).toBe(folder)
      yield* store.put("a/1", Uint8Array.of(1, 2))
      expect([...(yield* store.get("a/1"))]).toEqual([1, 2])
      expect(yield* store.size("a/1")).toBe(2)
      expect(yield* store.list("a")).toEqual(["1"])
      expect(yield* store.stamp("a")).toBe(yield* store.stamp("a"))
      yield* store.remove("a/1")
      expect(yield* store.size("a/1")).toBeUndefined()
    })
  )
})
