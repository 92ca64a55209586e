import { describe, expect } from "bun:test"
import { ConfigProvider, Effect, Layer } from "effect"
import fc from "fast-check"
import { join } from "node:path"
import * as BackupPlace from "../../../src/backup/BackupPlace.ts"
import { BackupStore } from "../../../src/backup/BackupStore.ts"
import * as FolderBackups from "../../../src/backup/FolderBackups.ts"
import * as S3Backups from "../../../src/backup/S3Backups.ts"
import { itLive } from "../../lib/Effects.ts"
import { property } from "../../lib/Property.ts"
import { type S3Server, s3Server } from "../../lib/S3Server.ts"
import { temporaryFolder } from "../../lib/TemporaryFolder.ts"

const opened = (env: S3Server["env"], place: string) =>
  Effect.map(
    Layer.build(
      BackupPlace.layer(place).pipe(Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnvRecord({ ...env }))))
    ),
    (context) => context.mapUnsafe.get(BackupStore.key) as BackupStore["Service"]
  )

type Act =
  | { readonly act: "put"; readonly name: string; readonly bytes: Uint8Array }
  | { readonly act: "get" | "size" | "remove"; readonly name: string }
  | { readonly act: "list"; readonly folder: string; readonly after: string | undefined }

const name = fc.constantFrom("a/1", "a/2", "a/3", "a/4", "a/b/5", "a/b c/6", "a/ü+7", "d/e/8")
/** Only of a folder that is listed for files alone: a store without folders has none that is empty. */
const removed = fc.constantFrom("a/1", "a/2", "a/3", "a/4")
const act: fc.Arbitrary<Act> = fc.oneof(
  fc.record({ act: fc.constant("put" as const), name, bytes: fc.uint8Array({ maxLength: 40 }) }),
  fc.record({ act: fc.constantFrom("get" as const, "size" as const), name }),
  fc.record({ act: fc.constant("remove" as const), name: removed }),
  fc.record({
    act: fc.constant("list" as const),
    folder: fc.constantFrom("a", "a/b", "d", "none"),
    after: fc.constantFrom(undefined, "1", "2", "b")
  })
)

const played = (store: BackupStore["Service"], acts: ReadonlyArray<Act>) =>
  Effect.forEach(acts, (one) => {
    switch (one.act) {
      case "put":
        return store.put(one.name, one.bytes)
      case "list":
        return store.list(one.folder, one.after)
      case "get":
        return Effect.match(store.get(one.name), { onFailure: () => "none", onSuccess: (bytes) => [...bytes] })
      default:
        return store[one.act](one.name)
    }
  })

describe("S3Backups", () => {
  itLive("is what a folder is, page by page, whatever is kept, read, listed and removed", () =>
    Effect.gen(function* () {
      const services = yield* Effect.context()
      const server = yield* s3Server
      const s3 = yield* opened(server.env, server.place)
      const run = (acts: ReadonlyArray<Act>) =>
        Effect.scoped(
          Effect.gen(function* () {
            server.objects.clear()
            const folder = yield* Layer.build(FolderBackups.layer(join(yield* temporaryFolder, "backups")))
            const expected = yield* played(folder.mapUnsafe.get(BackupStore.key) as BackupStore["Service"], acts)
            expect(yield* played(s3, acts)).toEqual(expected)
          })
        )
      yield* Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(fc.array(act, { minLength: 1, maxLength: 25 }), (acts) =>
            Effect.runPromiseWith(services)(run(acts))
          ),
          property(2)
        )
      )
    })
  )

  itLive("asks again where the store does not answer", () =>
    Effect.gen(function* () {
      const server = yield* s3Server
      const settings = ConfigProvider.layer(ConfigProvider.fromEnvRecord({ ...server.env }))
      const store = S3Backups.layer({ bucket: "backups", prefix: "" }, 100).pipe(Layer.provide(settings))
      yield* Effect.gen(function* () {
        const { get, put } = yield* BackupStore
        server.hang(1)
        yield* put("a/1", Uint8Array.of(1, 2))
        server.hang(2)
        expect([...(yield* get("a/1"))]).toEqual([1, 2])
      }).pipe(Effect.provide(store))
    })
  )

  itLive("asks again where the store is busy, and says in a sentence what is wrong", () =>
    Effect.gen(function* () {
      const server = yield* s3Server
      const store = yield* opened(server.env, server.place)
      server.refuse(2)
      yield* store.put("a/1", Uint8Array.of(1, 2))
      expect([...(yield* store.get("a/1"))]).toEqual([1, 2])

      const said = Effect.fnUntraced(function* (env: Readonly<Record<string, string>>, place = server.place) {
        const other = yield* opened({ ...server.env, ...env }, place)
        return (yield* Effect.flip(other.put("a/1", Uint8Array.of(1)))).message
      })
      const cannot = `${server.place}/a/1 cannot be written:`
      expect(yield* said({ AWS_SECRET_ACCESS_KEY: "another" })).toBe(
        `${cannot} AWS_SECRET_ACCESS_KEY is not the one of AWS_ACCESS_KEY_ID.`
      )
      expect(yield* said({ AWS_ACCESS_KEY_ID: "another" })).toBe(`${cannot} the store does not know AWS_ACCESS_KEY_ID.`)
      expect(yield* said({}, "s3://elsewhere")).toBe(
        "s3://elsewhere/a/1 cannot be written: there is no such bucket: make it, or name another."
      )
      const [none, unnamed] = [yield* Effect.flip(store.get("a/2")), yield* Effect.flip(opened({}, "s3://B"))]
      expect([none.message, unnamed.message]).toEqual([
        `${server.place}/a/2 cannot be read: there is no such object.`,
        "s3://B names no bucket: expected s3://bucket or s3://bucket/prefix."
      ])
    })
  )
})
