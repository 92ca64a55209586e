import { describe, expect, it } from "bun:test"
import { join } from "node:path"

const ROOT = join(import.meta.dir, "..", "..")
const LIMIT = 20 * 60_000

describe("the tests of the engine", () => {
  it(
    "notice at least four of five small changes of engine/arena and engine/ledger",
    () => {
      const { exitCode, stdout } = Bun.spawnSync([process.execPath, join("scripts", "mutate.ts"), "--threshold=80"], {
        cwd: ROOT,
        stdout: "pipe",
        stderr: "inherit"
      })
      const [score] = /[\d.]+ %  of all: .*/.exec(stdout.toString()) ?? ["no score"]
      expect(score).toMatch(/^\d/)
      expect({ score, exitCode }).toEqual({ score, exitCode: 0 })
    },
    LIMIT
  )
})
