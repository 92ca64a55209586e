import { expect, it } from "bun:test"
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { programHash } from "../../../scripts/campaign/ProgramHash.ts"

it("A program's hash is another with any file that a simulation comes from, committed or not", () => {
  const root = mkdtempSync(join(tmpdir(), "program-"))
  try {
    for (const folder of ["data", "engine/simulation", "scripts/campaign", "scripts/compare", "docs"]) {
      mkdirSync(join(root, folder), { recursive: true })
    }
    const write = (file: string, text: string) => writeFileSync(join(root, file), text)
    const hash = () => programHash(root)
    write("data/daily-rates-per-usd.csv", "date")
    write("package.json", "{}")
    write("engine/simulation/A.ts", "1")
    write("scripts/campaign/BlockOutcome.ts", `import { a } from "../compare/Figures.ts"\nimport "./Gone.ts"\n`)
    write("scripts/campaign/Campaign.ts", `export type { B } from "./BlockOutcome.ts"\n`)
    write("scripts/campaign/CampaignPage.ts", `import { readFileSync } from "node:fs"\n`)
    write("scripts/compare/Figures.ts", `import type {\n  Deep\n} from "./Deep.ts"\n`)
    write("scripts/compare/Deep.ts", "2")
    write("scripts/compare/Other.ts", "2")
    const before = hash()
    for (const file of [
      "docs/page.md",
      "engine/tsconfig.json",
      "engine/simulation/.A.ts.swp",
      "engine/simulation/.#A.ts",
      "engine/simulation/A.ts~",
      "scripts/compare/Other.ts"
    ]) {
      write(file, "3")
      expect(hash()).toBe(before)
    }
    const seen = new Set([before])
    for (const file of [
      "engine/simulation/A.ts",
      "scripts/compare/Deep.ts",
      "scripts/compare/Figures.ts",
      "scripts/campaign/BlockOutcome.ts",
      "scripts/campaign/Campaign.ts",
      "scripts/campaign/CampaignPage.ts",
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
    expect(seen.size).toBe(11)
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
})
