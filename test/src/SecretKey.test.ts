import { describe, expect, it } from "bun:test"
import { Effect, Redacted } from "effect"
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { adoptNextKey, keptNextKey, keptSecretKey, secretKey } from "../../src/SecretKey.ts"
import { itEffect } from "../lib/Effects.ts"

const temporary = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "emporion-settings-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
)

describe("a given secret key", () => {
  it("is 64 hexadecimal digits or 32 bytes in base64", () => {
    const bytes = Buffer.alloc(32, 0xab)
    for (const text of [bytes.toString("hex"), bytes.toString("base64"), bytes.toString("base64url")]) {
      const key = secretKey.parse(text)
      expect(key === undefined ? undefined : Redacted.value(key)).toEqual(new Uint8Array(bytes))
    }
  })

  it("is nothing else", () => {
    for (const text of ["", "ab", "g".repeat(64), "a".repeat(63), "a".repeat(42), "a".repeat(45)]) {
      expect(secretKey.parse(text)).toBeUndefined()
    }
  })
})

describe("the sandbox's own secret key", () => {
  itEffect("is made once and kept for its owner alone", () =>
    Effect.gen(function* () {
      const folder = join(yield* temporary, "data")
      const keys = yield* Effect.all([keptSecretKey(folder), keptSecretKey(folder)])
      const [first, second] = keys.map(Redacted.value)
      expect(first).toHaveLength(32)
      expect(first).toEqual(second)
      expect(statSync(join(folder, "secret.key")).mode & 0o777).toBe(0o600)
      expect(Buffer.from(first ?? []).toString("hex")).toBe(readFileSync(join(folder, "secret.key"), "utf8").trim())
    })
  )

  itEffect("is replaced by one that was made beside it, in one step", () =>
    Effect.gen(function* () {
      const folder = yield* temporary
      const hexOf = (key: Effect.Success<ReturnType<typeof keptSecretKey>>) =>
        Buffer.from(Redacted.value(key)).toString("hex")
      const old = hexOf(yield* keptSecretKey(folder))
      const [next, again] = [hexOf(yield* keptNextKey(folder)), hexOf(yield* keptNextKey(folder))]
      expect([next === old, next === again, hexOf(yield* keptSecretKey(folder)) === old]).toEqual([false, true, true])
      yield* adoptNextKey(folder)
      expect(hexOf(yield* keptSecretKey(folder))).toBe(next)
      expect(readdirSync(folder)).toEqual(["secret.key"])
      expect(statSync(join(folder, "secret.key")).mode & 0o777).toBe(0o600)
      expect((yield* Effect.flip(adoptNextKey(folder))).message).toContain("(ENOENT)")
    })
  )

  itEffect("is refused when the file is damaged", () =>
    Effect.gen(function* () {
      const folder = yield* temporary
      writeFileSync(join(folder, "secret.key"), "short")
      expect((yield* Effect.flip(keptSecretKey(folder))).message).toStartWith("SECRET_KEY: expected 64 hexadecimal")
    })
  )

  itEffect("is refused when the data folder cannot be one", () =>
    Effect.gen(function* () {
      const file = join(yield* temporary, "file")
      writeFileSync(file, "")
      const message = (yield* Effect.flip(keptSecretKey(file))).message
      expect(message).toStartWith("DATA_DIR: expected a folder in which secret.key can be read and written (ENOTDIR)")
    })
  )
})
