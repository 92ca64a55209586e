import { describe, expect, it } from "bun:test"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Row } from "../../scripts/bench/Row.ts"

/** Milliseconds of a smoke run of one case, on a machine that does other things too. */
const LIMIT = 180_000

const SCRIPT = join(import.meta.dir, "..", "..", "scripts", "bench.ts")

interface Report {
  readonly quick: boolean
  readonly broken: ReadonlyArray<string>
  readonly postgres: { readonly durability: Readonly<Record<string, string>> }
  readonly rows: ReadonlyArray<Row & { readonly met: boolean | null }>
}

/** Of each of these cases the variants that are played; the others play all. */
const VARIANTS: Readonly<Record<string, string>> = { b: "4,64-keyed", q: "64-keyed", u: "64" }

const smoke = (key: string) => {
  const folder = mkdtempSync(join(tmpdir(), "emporion-smoke-"))
  const json = join(folder, "out.json")
  const variants = VARIANTS[key] === undefined ? [] : ["--variants", VARIANTS[key]]
  try {
    const child = Bun.spawnSync([process.execPath, SCRIPT, "--quick", "--only", key, "--json", json, ...variants])
    const said = `${child.stdout.toString()}${child.stderr.toString()}`
    if (child.exitCode !== 0) throw new Error(said)
    return { said, report: JSON.parse(readFileSync(json, "utf8")) as Report }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

describe("bun run bench", () => {
  it.each(["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "l", "m", "p", "q", "r", "s", "u"])(
    "measures case %s",
    (key) => {
      const { said, report } = smoke(key)
      const { quick, broken, postgres, rows } = report
      expect(quick).toBe(true)
      expect(broken).toEqual([])
      expect(postgres.durability).toMatchObject({ fsync: "on", synchronous_commit: "on", full_page_writes: "on" })
      expect(rows.length).toBeGreaterThan(0)
      expect(rows.some(({ target, met }) => target !== undefined && met !== null)).toBe(true)
      for (const row of rows) {
        expect(row.key).toBe(key)
        expect(row.ours.median).toBeFinite()
        expect(said).toContain(row.what)
      }
    },
    LIMIT
  )

  it("refuses a case that there is not", () => {
    const { exitCode, stderr } = Bun.spawnSync([process.execPath, SCRIPT, "--only", "z"])
    expect(exitCode).toBe(2)
    expect(stderr.toString()).toContain("no case z")
  })

  it("refuses a variant that no chosen case has", () => {
    const { exitCode, stderr } = Bun.spawnSync([process.execPath, SCRIPT, "--only", "a", "--variants", "64"])
    expect(exitCode).toBe(2)
    expect(stderr.toString()).toContain("no variant 64")
  })
})
