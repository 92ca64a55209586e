import { describe, expect, it } from "bun:test"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ChainWalk } from "../../../engine/replay/ChainWalk.ts"
import { encodeEnd, encodeLine } from "../../../engine/replay/StoredEvent.ts"
import { link } from "../../../src/database/EventChain.ts"
import { sampleLog } from "../../lib/ReplayLog.ts"

const PROGRAM = join(import.meta.dir, "..", "..", "..", "src", "cli", "Emporion.ts")

const emporion = async (...args: ReadonlyArray<string>) => {
  const child = Bun.spawn([process.execPath, PROGRAM, ...args], { stdout: "pipe", stderr: "pipe", env: { PATH: "" } })
  const [stdout, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { code: await child.exited, stdout, stderr }
}

/** The money of the sample log as an exported file: its orders have the tests' own hashes of tie keys. */
const exported = (folder: string): string => {
  const path = join(folder, "events.jsonl")
  const chain = new ChainWalk(link)
  const money = sampleLog().filter(({ stream }) => !stream.startsWith("order/"))
  const lines = money.map((event) => {
    chain.step(event)
    return encodeLine(event, chain.sum)
  })
  writeFileSync(path, `${[...lines, encodeEnd(money.length)].join("\n")}\n`)
  return path
}

describe("emporion", () => {
  it("verifies a file: 0 and its figures, or 1 and the altered event", async () => {
    const folder = mkdtempSync(join(tmpdir(), "emporion-cli-"))
    try {
      const path = exported(folder)
      const sound = await emporion("verify", "--file", path)
      expect([sound.code, sound.stderr]).toEqual([0, ""])
      expect(sound.stdout).toContain("6 events in 6 streams: no hash and no number is wrong")
      const json = await emporion("verify", "--file", path, "--json")
      expect(JSON.parse(json.stdout)).toMatchObject({ ok: true, events: 6, streams: 6 })
      writeFileSync(path, readFileSync(path, "utf8").replace("wire-1", "wire-2"))
      const altered = await emporion("verify", "--file", path)
      expect(altered.code).toBe(1)
      expect(altered.stdout).toContain("altered  event 5 (deposit/wire-")
      expect(altered.stderr).toContain("The log is not what it was")
    } finally {
      rmSync(folder, { recursive: true })
    }
  }, 30_000)

  it("says what to do about a wrong call", async () => {
    const [unknown, both, missing, nowhere] = await Promise.all([
      emporion("vrify"),
      emporion("verify", "--file", "a", "--data-dir", "b"),
      emporion("verify", "--file", "/nowhere/events.jsonl"),
      emporion("verify", "--database", "mysql://host/db")
    ])
    expect([unknown, both, missing, nowhere].map(({ code }) => code)).toEqual([1, 1, 1, 1])
    expect(unknown.stderr).toContain("verify")
    expect(both.stderr).toContain("Give one of")
    expect(missing.stderr).toContain("cannot be read")
    expect(nowhere.stderr).toContain("postgresql://")
  }, 30_000)

  it("explains itself with examples", async () => {
    const { code, stdout } = await emporion("export", "--help")
    expect(code).toBe(0)
    expect(stdout).toContain("emporion export events.jsonl")
  }, 30_000)
})
