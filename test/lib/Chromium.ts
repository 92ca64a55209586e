import { Effect } from "effect"
import type { Scope } from "effect"
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { chromium } from "playwright-core"
import type { Browser } from "playwright-core"
import { version } from "../../node_modules/@sparticuz/chromium/package.json"

/** Names a Chromium to use instead of the packaged one, such as `/usr/bin/chromium`; needed elsewhere than on Linux x64. */
const OWN = "CHROMIUM_PATH"

const ROOT = join(import.meta.dir, "../..")
const CACHE = join(ROOT, "node_modules", ".cache")

/** Where the packaged Chromium lies unpacked, one folder a version. */
const UNPACKED = join(CACHE, `chromium-${version}`)

/** The package unpacks into the temporary folder, and its libraries only where it takes the machine for Amazon's. */
const UNPACK = `(await import("@sparticuz/chromium")).default.executablePath()`
const AMAZON = { AWS_EXECUTION_ENV: "AWS_Lambda_nodejs22.x" } as const

/** Nothing is downloaded or asked for that a test did not ask for; a container's root has no sandbox. */
const ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"] as const

interface Program {
  readonly executablePath: string
  readonly env: Readonly<Record<string, string>>
}

/** The package's fonts alone, so that a line is as wide on every machine. */
const fontSettings = (): string => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${join(UNPACKED, "fonts")}</dir>
  <cachedir>${join(UNPACKED, "fonts-cache")}</cachedir>
</fontconfig>
`

/** Of several processes that unpack at the same time, the first to be ready puts its folder in place. */
const unpack = async (): Promise<void> => {
  if (existsSync(UNPACKED)) return
  mkdirSync(CACHE, { recursive: true })
  const folder = mkdtempSync(`${UNPACKED}-`)
  try {
    const env = { ...process.env, ...AMAZON, TMPDIR: folder }
    const child = Bun.spawn([process.execPath, "-e", UNPACK], { cwd: ROOT, env, stdin: "ignore", stderr: "pipe" })
    if ((await child.exited) !== 0) throw new Error(await new Response(child.stderr).text())
    writeFileSync(join(folder, "fonts", "fonts.conf"), fontSettings())
    renameSync(folder, UNPACKED)
  } catch (error) {
    if (!existsSync(UNPACKED)) throw error
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const packaged = async (): Promise<Program> => {
  if (process.platform !== "linux" || process.arch !== "x64")
    throw new Error(`npm brings a Chromium for Linux x64 alone: name one of this machine's in ${OWN}`)
  await unpack()
  return {
    executablePath: join(UNPACKED, "chromium"),
    env: { LD_LIBRARY_PATH: join(UNPACKED, "al2023", "lib"), FONTCONFIG_PATH: join(UNPACKED, "fonts") }
  }
}

const program = (): Promise<Program> => {
  const executablePath = process.env[OWN]
  return executablePath === undefined ? packaged() : Promise.resolve({ executablePath, env: {} })
}

/**
 * A real Chromium without a window: the one that npm brings, with its own libraries and fonts, so that nothing that a
 * machine has installed changes what is seen. Closed with the scope.
 */
export const launched: Effect.Effect<Browser, never, Scope.Scope> = Effect.acquireRelease(
  Effect.promise(async () => {
    const { env, executablePath } = await program()
    return chromium.launch({
      executablePath,
      args: [...ARGUMENTS],
      headless: true,
      env: { ...process.env, ...env }
    })
  }),
  (browser) => Effect.promise(() => browser.close())
)
