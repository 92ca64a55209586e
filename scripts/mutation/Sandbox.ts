import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Instrumenter } from "@stryker-mutator/instrumenter"

/** A copy of the project in which every mutant waits behind its own switch. */
export interface Sandbox {
  readonly folder: string
  /** Absolute paths of the test files to run. */
  readonly tests: ReadonlyArray<string>
  readonly mutants: ReadonlyArray<Mutant>
}

/** One small change to the code. Lines count from 1. */
export interface Mutant {
  readonly id: string
  readonly file: string
  readonly line: number
  readonly kind: string
  readonly original: string
  readonly mutated: string
}

const COPIED = ["engine", "src", "packages", "test", "data", "docs", "scripts/SecretScan.ts"]
const ignore = () => undefined
const silent = {
  debug: ignore,
  info: ignore,
  trace: ignore,
  warn: console.error,
  error: console.error,
  fatal: console.error,
  isDebugEnabled: () => false,
  isErrorEnabled: () => true,
  isFatalEnabled: () => true,
  isInfoEnabled: () => false,
  isTraceEnabled: () => false,
  isWarnEnabled: () => true
}

interface Place {
  readonly line: number
  readonly column: number
}

const excerpt = (text: string, start: Place, end: Place): string => {
  const lines = text.split("\n").slice(start.line, end.line + 1)
  const last = lines.length - 1
  return lines
    .map((line, index) => line.slice(index === 0 ? start.column : 0, index === last ? end.column : undefined))
    .join("\n")
}

/** The copy's tests take their `it` and `expect` from the harness; `driver.test.ts` is what the runner starts. */
const useHarness = (folder: string, harness: string): void => {
  for (const path of new Bun.Glob("test/**/*.{ts,tsx}").scanSync({ cwd: folder, absolute: true })) {
    const text = readFileSync(path, "utf8")
    if (text.includes("bun:test")) writeFileSync(path, text.replace(/(from\s+)"bun:test"/g, `$1"${harness}"`))
  }
}

/** Makes the copy below `folder`, replacing what was there. */
export const makeSandbox = async (
  root: string,
  folder: string,
  files: ReadonlyArray<string>,
  tests: ReadonlyArray<string>
): Promise<Sandbox> => {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const part of COPIED) {
    if (existsSync(join(root, part))) cpSync(join(root, part), join(folder, part), { recursive: true })
  }
  const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), "utf8")]))
  const instrumented = await new Instrumenter(silent).instrument(
    [...texts].map(([name, content]) => ({ name, content, mutate: true })),
    { plugins: null, excludedMutations: [], ignorers: [] }
  )
  for (const { name, content } of instrumented.files) writeFileSync(join(folder, name), content)
  useHarness(folder, join(root, "scripts", "mutation", "Harness.ts"))
  const worker = JSON.stringify(join(root, "scripts", "mutation", "Worker.ts"))
  writeFileSync(
    join(folder, "driver.test.ts"),
    `import { it } from "bun:test"\nimport { work } from ${worker}\n` +
      `it("tries the mutants", () => work(process.env["MUTATION_PLAN"] ?? ""), 2 ** 31 - 1)\n`
  )
  const mutants = instrumented.mutants.map(({ id, fileName, location, mutatorName, replacement }) => ({
    id,
    file: fileName,
    line: location.start.line + 1,
    kind: mutatorName,
    original: excerpt(texts.get(fileName) ?? "", location.start, location.end),
    mutated: replacement
  }))
  return { folder, tests: tests.map((path) => join(folder, path)), mutants }
}
