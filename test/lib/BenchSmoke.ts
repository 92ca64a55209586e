import { beforeAll, expect, it } from "bun:test"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Row } from "../../scripts/bench/Row.ts"

/** Milliseconds of a smoke run of one case, on a machine that does other things too. */
const CASE_LIMIT = 180_000

export const BENCH = join(import.meta.dir, "..", "..", "scripts", "bench.ts")

interface Report {
  readonly quick: boolean
  readonly broken: ReadonlyArray<string>
  readonly postgres: { readonly durability: Readonly<Record<string, string>> }
  readonly rows: ReadonlyArray<Row & { readonly met: boolean | null }>
}

const play = async (cases: ReadonlyArray<string>, variants: ReadonlyArray<string>) => {
  const folder = mkdtempSync(join(tmpdir(), "emporion-smoke-"))
  const json = join(folder, "out.json")
  const chosen = variants.length === 0 ? [] : ["--variants", variants.join(",")]
  try {
    const child = Bun.spawn(
      [process.execPath, BENCH, "--quick", "--only", cases.join(","), "--json", json, ...chosen],
      {
        stdio: ["ignore", "pipe", "pipe"]
      }
    )
    const [stdout, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
    const said = `${stdout}${stderr}`
    if ((await child.exited) !== 0) throw new Error(said)
    return { said, report: JSON.parse(readFileSync(json, "utf8")) as Report }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Has one process of the bench play some cases quickly, on one PostgreSQL, and a test look at the rows of each.
 *
 * @param variants - those that are played of cases that have any; the default is all
 */
export const smokeCases = (cases: ReadonlyArray<string>, variants: ReadonlyArray<string> = []): void => {
  let played: Awaited<ReturnType<typeof play>>
  beforeAll(async () => {
    played = await play(cases, variants)
  }, CASE_LIMIT * cases.length)

  it("breaks in no case, on a PostgreSQL that is durable", () => {
    const { quick, broken, postgres } = played.report
    expect(quick).toBe(true)
    expect(broken).toEqual([])
    expect(postgres.durability).toMatchObject({ fsync: "on", synchronous_commit: "on", full_page_writes: "on" })
  })

  it.each([...cases])("measures case %s", (key) => {
    const rows = played.report.rows.filter((row) => row.key === key)
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.some(({ target, met }) => target !== undefined && met !== null)).toBe(true)
    for (const row of rows) {
      expect(row.ours.median).toBeFinite()
      expect(played.said).toContain(row.what)
    }
  })
}
