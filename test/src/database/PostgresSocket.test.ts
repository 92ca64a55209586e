import { describe, expect, it } from "bun:test"
import { Effect } from "effect"
import { chmodSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { prepareSocketFolder, socketFile, socketFolder } from "../../../src/database/PostgresSocket.ts"
import { itLive } from "../../lib/Effects.ts"
import { temporaryFolder } from "../../lib/TemporaryFolder.ts"

describe("the socket's folder", () => {
  it("is in the data folder when the path is short enough, else a short one of its own", () => {
    expect(socketFolder("/srv/emporion")).toBe("/srv/emporion/socket")
    const long = `/srv/${"é".repeat(40)}`
    expect(socketFolder(long, "/tmp")).toMatch(/^\/tmp\/emporion-[0-9a-f]{16}$/)
    expect(socketFolder(long, "/tmp")).not.toBe(socketFolder(`${long}2`, "/tmp"))
    for (let length = 1; length < 200; length++) {
      expect(Buffer.byteLength(socketFile(socketFolder("/".padEnd(length, "x"), "/tmp")))).toBeLessThanOrEqual(103)
    }
  })

  itLive("is emptied of what a killed server left", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      writeFileSync(join(folder, ".s.PGSQL.5432"), "")
      writeFileSync(join(folder, ".s.PGSQL.5432.lock"), "")
      prepareSocketFolder(folder)
      expect(readdirSync(folder)).toEqual([])
    })
  )

  itLive("is refused when others may enter it, or when it is a link", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const [open, target, link] = ["open", "target", "link"].map((name) => join(folder, name)) as [
        string,
        string,
        string
      ]
      mkdirSync(open)
      chmodSync(open, 0o777)
      mkdirSync(target, { mode: 0o700 })
      symlinkSync(target, link)
      expect(() => prepareSocketFolder(open)).toThrow("remove it")
      expect(() => prepareSocketFolder(link)).toThrow("remove it")
    })
  )
})
