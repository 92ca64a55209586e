import packed from "@sparticuz/chromium"
import { Effect } from "effect"
import type { Scope } from "effect"
import { existsSync } from "node:fs"
import { chromium } from "playwright-core"
import type { Browser } from "playwright-core"

/** Where systems keep their own. */
const INSTALLED = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"
] as const

/** Nothing is downloaded or asked for that a test did not ask for; a container's root has no sandbox. */
const ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"] as const

const executable = (): Promise<string> => {
  const installed = INSTALLED.find((path) => existsSync(path))
  return installed === undefined ? packed.executablePath() : Promise.resolve(installed)
}

/** A real Chromium without a window: the system's, else the one that a package carries. Closed with the scope. */
export const launched: Effect.Effect<Browser, never, Scope.Scope> = Effect.acquireRelease(
  Effect.promise(async () =>
    chromium.launch({ executablePath: await executable(), args: [...ARGUMENTS], headless: true })
  ),
  (browser) => Effect.promise(() => browser.close())
)
