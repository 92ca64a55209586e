import { describe, expect } from "bun:test"
import { Context, Effect, Fiber, Layer } from "effect"
import { existsSync, mkdirSync, statSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { BackupStore } from "../../../src/backup/BackupStore.ts"
import * as FolderBackups from "../../../src/backup/FolderBackups.ts"
import { itLive } from "../../lib/Effects.ts"
import { temporaryFolder } from "../../lib/TemporaryFolder.ts"

const opened = (folder: string) =>
  Effect.map(Layer.build(FolderBackups.layer(folder)), (built) => Context.get(built, BackupStore))

describe("Backups in a folder", () => {
  itLive("are written while others go on, and a file has its name only once it is whole", () =>
    Effect.gen(function* () {
      const folder = join(yield* temporaryFolder, "of", "emporion")
      const store = yield* opened(folder)
      const writing = yield* Effect.forkChild(store.put("a/1", Uint8Array.of(1, 2)), { startImmediately: true })
      expect(existsSync(join(folder, "a", "1"))).toBe(false)
      yield* Fiber.join(writing)
      expect(yield* store.list("a")).toEqual(["1"])
      expect(statSync(join(folder, "a", "1")).mode & 0o777).toBe(0o600)
      expect(statSync(folder).mode & 0o777).toBe(0o700)
    })
  )

  itLive("have another stamp once a file came or went, and the same one when nothing did", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const store = yield* opened(folder)
      const at = (millis: number): void => utimesSync(join(folder, "a"), millis / 1_000, millis / 1_000)
      expect(yield* store.stamp("a")).toBeUndefined()
      yield* store.put("a/1", Uint8Array.of(1))
      const acts = [store.put("a/2", Uint8Array.of(2)), store.remove("a/1")]
      for (const act of acts) {
        at(1_234)
        const before = yield* store.stamp("a")
        expect(before).toBeDefined()
        yield* store.get("a/1")
        yield* store.list("a")
        expect(yield* store.stamp("a")).toBe(before)
        yield* act
        expect(yield* store.stamp("a")).not.toBe(before)
      }
      // It may be the time of a file system that knows seconds alone.
      at(2_000)
      expect(yield* store.stamp("a")).toBeUndefined()
    })
  )

  itLive("have no file that was given up", () =>
    Effect.gen(function* () {
      const folder = join(yield* temporaryFolder, "archive")
      const store = yield* opened(folder)
      const writing = yield* Effect.forkChild(store.put("a/1", Uint8Array.of(1)), { startImmediately: true })
      yield* Fiber.interrupt(writing)
      yield* store.put("a/2", Uint8Array.of(2))
      expect(yield* store.list("a")).toEqual(["2"])
      expect(yield* store.size("a/1")).toBeUndefined()
    })
  )

  itLive("say which file cannot be read or written, and why", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const store = yield* opened(folder)
      expect((yield* Effect.flip(store.get("a/1"))).message).toMatch(/\/a\/1 cannot be read: .*ENOENT/)
      expect(yield* store.list("a")).toEqual([])
      writeFileSync(join(folder, "a"), "")
      expect((yield* Effect.flip(store.put("a/1", Uint8Array.of(1)))).message).toMatch(/\/a\/1 cannot be written: /)
      mkdirSync(join(folder, "b"))
      expect((yield* Effect.flip(store.get("b"))).message).toMatch(/\/b cannot be read: .*EISDIR/)
    })
  )
})
