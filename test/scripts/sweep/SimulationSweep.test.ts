import { describe, expect, it } from "bun:test"
import { join } from "node:path"
import { plantedSweep } from "../../lib/PlantedSweep.ts"
import { told } from "../../lib/SimCommand.ts"

const SCRIPT = join(import.meta.dir, "../../lib/PlantedSweep.ts")
const sweep = (...given: ReadonlyArray<string>) => {
  const child = Bun.spawnSync([process.execPath, SCRIPT, ...given], { stdin: "ignore" })
  return { code: child.exitCode, out: child.stdout.toString(), err: child.stderr.toString() }
}

describe("A sweep", () => {
  it("tells which seeds fail, and how to run them again", () => {
    const { out, err, code } = sweep("3")
    expect(code).toBe(1)
    expect(out).toMatch(/^seeds +3 from 1, [1-3] failed$/m)
    const replay = err.match(/^replay +(npm run sim -- --seed [1-3] --orders 4 --traders 4)$/m)?.[1]
    expect(replay).toBeDefined()
    expect(err.match(/^smaller /gm)?.length).toBe(1)
    expect(err).toMatch(/^smaller +npm run sim -- --seed [1-3] .*--keep-/m)
  })

  it("tells the same as JSON", async () => {
    const { out, code } = await told(() => plantedSweep(3, true))
    const result = JSON.parse(out)
    expect(code).toBe(1)
    expect(result).toMatchObject({ firstSeed: 1, seeds: 3, speed: { jobs: 2 } })
    expect(result.sweepHash).toMatch(/^[0-9a-f]{64}$/)
    expect(result.failures[0]).toMatchObject({ seed: expect.any(Number), violation: { invariant: expect.any(String) } })
    expect(result.smaller.replay).toBe(result.failures[0].replay)
    expect(result.runs.map(({ seed }: { readonly seed: number }) => seed)).toEqual([1, 2, 3])
  })

  it("ends its workers with a signal", () => {
    const { out, err, code } = sweep("100000", "--interrupt")
    expect(code).toBe(130)
    expect(out).toBe("")
    expect(err).toMatch(/^ended after \d+ of 100000 seeds$/m)
  })
})
