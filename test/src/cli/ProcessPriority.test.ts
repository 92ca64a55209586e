import { describe, expect, it } from "bun:test"
import { getPriority } from "node:os"
import { join } from "node:path"

const MODULE = join(import.meta.dir, "..", "..", "..", "src", "cli", "ProcessPriority.ts")

/** A process that gives way, and tells the priority of each of its threads and of a process that it starts. */
const PROGRAM = `
  import { Effect } from "effect"
  import { existsSync, readdirSync } from "node:fs"
  import { getPriority } from "node:os"
  import { giveWay } from ${JSON.stringify(MODULE)}
  Effect.runSync(giveWay)
  const known = existsSync("/proc/self/task") ? readdirSync("/proc/self/task") : [0]
  const threads = known.map((thread) => getPriority(Number(thread)))
  const child = Bun.spawnSync(["nice"])
  console.log(JSON.stringify([...new Set(threads), Number(child.stdout.toString())]))`

const priorities = (...before: ReadonlyArray<string>): unknown => {
  const { stderr, stdout } = Bun.spawnSync([...before, process.execPath, "-e", PROGRAM], { cwd: join(MODULE, "../..") })
  expect(stderr.toString()).toBe("")
  return JSON.parse(stdout.toString())
}

/** Milliseconds: others go first. */
const PATIENCE = 60_000

describe("A process that gives way", () => {
  it(
    "has a lower priority in all of its threads, and so has what it starts",
    () => {
      const expected = Math.max(10, getPriority())
      expect(priorities()).toEqual([expected, expected])
    },
    PATIENCE
  )

  it(
    "keeps one that is lower already",
    () => {
      const expected = Math.min(19, getPriority() + 19)
      expect(priorities("nice", "-n", "19")).toEqual([expected, expected])
    },
    PATIENCE
  )
})
