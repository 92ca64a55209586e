import { describe, expect, it } from "bun:test"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { sim, simHere } from "../../lib/SimCommand.ts"

describe("npm run sim -- backtest", () => {
  it("runs a bot of one's own between two dates, and draws it", () => {
    const folder = mkdtempSync(join(tmpdir(), "emporion-backtest-"))
    const [file, page] = [join(folder, "bot.json"), join(folder, "report.html")]
    writeFileSync(
      file,
      JSON.stringify({
        name: "Tortoise",
        capabilities: ["commodity"],
        strategy: { riskPreset: "custom", riskLevel: 0.3, maxLossPct: 20, minRoiPct: 3, maxCollateralPerTrade: 381 },
        collateral_amount: 5_000
      })
    )
    const given = ["--strategy", file, "--from", "2026-08-20", "--to", "2026-09-29"]
    const { code, err, out } = sim("backtest", ...given, "--report", page)
    expect([code, err]).toEqual([0, ""])
    expect(out).toMatch(/^closes 2026-08-20 to 2026-09-29/)
    expect(out).toMatch(/^Tortoise +-?[\d,.]+ /m)
    expect(readFileSync(page, "utf8")).toContain("Tortoise")
    rmSync(folder, { recursive: true })
  })

  it("says in one sentence what is wrong", async () => {
    const { code, err, out } = await simHere("backtest", "--from", "2026-09-28")
    expect([code, out]).toEqual([1, ""])
    expect(err).toMatch(/^sim: 2 closes lie between .* there are closes from 2026-08-09 to/)
  })

  it("ends with 2 where its line is wrong", async () => {
    const lines: ReadonlyArray<readonly [ReadonlyArray<string>, string]> = [
      [
        ["--strategy", "agressive"],
        "sim: --strategy agressive: there is no such file, and the presets are conservative, balanced, aggressive\n"
      ],
      [["--from", "2026-09-28", "--to", "2026-09-01"], "sim: --from 2026-09-28 is after --to 2026-09-01: swap them.\n"],
      ...["x", "2026-02-30"].map(
        (day) =>
          [
            ["--from", day],
            `sim backtest: Invalid value for flag --from: "${day}". Expected a day such as 2026-01-31. ` +
              "See: sim backtest --help\n"
          ] as const
      )
    ]
    for (const [line, err] of lines) expect(await simHere("backtest", ...line)).toEqual({ code: 2, out: "", err })
  })
})
