import { expect, it } from "bun:test"
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { programHash } from "../../../scripts/campaign/ProgramHash.ts"

it("A program's hash is another with any file that a simulation comes from, committed or not", () => {
  const root = mkdtempSync(join(tmpdir(), "program-"))
  try {
    for (const folder of ["data", "engine/simulation", "scripts/campaign", "docs"]) {
      mkdirSync(join(root, folder), { recursive: true })
    }
    const write = (file: string, text: string) => writeFileSync(join(root, file), text)
    const hash = () => programHash(root)
    write("data/daily-rates-per-usd.csv", "date")
    write("package.json", "{}")
    write("engine/simulation/A.ts", "1")
    write("scripts/campaign/B.ts", "2")
    const before = hash()
    write("docs/page.md", "3")
    expect(hash()).toBe(before)
    const seen = new Set([before])
    for (const file of [
      "engine/simulation/A.ts",
      "scripts/campaign/B.ts",
      "package.json",
      "data/daily-rates-per-usd.csv"
    ]) {
      write(file, "other")
      seen.add(hash())
    }
    write("engine/simulation/New.ts", "")
    seen.add(hash())
    cpSync(join(root, "engine/simulation/New.ts"), join(root, "engine/Moved.ts"))
    rmSync(join(root, "engine/simulation/New.ts"))
    seen.add(hash())
    expect(seen.size).toBe(7)
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
})
