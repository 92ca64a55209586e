import { describe, expect } from "bun:test"
import { Effect, Layer, Redacted } from "effect"
import { layerWebCrypto } from "effect/crypto/SecureRandom"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { auditKeys, BackupKeys, drawKeys, loadKeys } from "../../../src/backup/BackupKeys.ts"
import * as FolderBackups from "../../../src/backup/FolderBackups.ts"
import { Secrets } from "../../../src/identity/secrets/Secrets.ts"
import { itLive } from "../../lib/Effects.ts"
import { filesOf } from "../../lib/PlantedPerson.ts"
import { temporaryFolder } from "../../lib/TemporaryFolder.ts"

const under = (byte: number) =>
  Layer.effect(Secrets, Secrets.under(Redacted.make(new Uint8Array(32).fill(byte)))).pipe(
    Layer.provideMerge(layerWebCrypto)
  )

const PEOPLE = Array.from({ length: 100 }, (_, at) => `usr_${at}`)

const saved = Effect.gen(function* () {
  const keys = yield* loadKeys()
  yield* drawKeys(keys, PEOPLE)
  yield* keys.save
  return keys
})

describe("BackupKeys", () => {
  itLive("are the same when read again, each person's own, and only where SECRET_KEY is the same", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const at = Layer.merge(FolderBackups.layer(folder), under(1))
      const keys = yield* Effect.provide(saved, at)
      const again = yield* Effect.provide(loadKeys(), at)
      for (const id of PEOPLE) expect(again.get(id)).toEqual(keys.get(id) ?? new Uint8Array())
      expect(new Set(PEOPLE.map((id) => String(again.get(id)))).size).toBe(PEOPLE.length)
      const other = yield* Effect.provide(loadKeys(), Layer.merge(FolderBackups.layer(folder), under(2)))
      expect(other.get("usr_1")).toBeUndefined()
    })
  )

  itLive("of who is forgotten are gone from every file, also from those under the SECRET_KEY of before", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const [old, now] = [1, 2].map((byte) => Layer.merge(FolderBackups.layer(folder), under(byte)))
      if (old === undefined || now === undefined) return
      yield* Effect.provide(saved, old)
      const keys = yield* Effect.provide(saved, now)
      const erased = new Set(["usr_7"])
      keys.forget(erased)
      yield* Effect.provide(Effect.andThen(BackupKeys.forgetElsewhere(erased), keys.save), now)
      expect(filesOf(folder)).not.toMatch(/^usr_7 /m)
      expect(filesOf(folder).match(/^usr_8 /gm)).toHaveLength(2)
      for (const layer of [old, now]) {
        const left = yield* Effect.provide(loadKeys(), layer)
        expect([left.get("usr_7"), left.get("usr_8") === undefined]).toEqual([undefined, false])
      }
    })
  )

  itLive("that were altered are found, and not used", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const at = Layer.merge(FolderBackups.layer(folder), under(1))
      yield* Effect.provide(saved, at)
      const [name = ""] = readdirSync(join(folder, "keys"))
      const file = join(folder, "keys", name, readdirSync(join(folder, "keys", name))[0] ?? "")
      writeFileSync(file, readFileSync(file, "utf8").replace(/.$/, "!"))
      for (const work of [Effect.asVoid(auditKeys), Effect.asVoid(loadKeys())]) {
        expect((yield* Effect.flip(Effect.provide(work, at))).message).toContain("was altered")
      }
    })
  )
})
