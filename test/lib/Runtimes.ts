import { existsSync } from "node:fs"
import { join } from "node:path"
import { FEWEST_NODE, majorOf, nodeCommand } from "./NodeRuntime.ts"

const root = join(import.meta.dir, "../..")

/** A runtime beside Bun on which the engine gives the same bits. */
interface Runtime {
  readonly name: string
  readonly command: ReadonlyArray<string>
  /** How to get it where the installation does not bring it. */
  readonly remedy: string
}

const inModules = (path: string): string => join(root, "node_modules", path)

/** The first that is installed here: this project's own, else the machine's. */
const found = (name: string, ...paths: ReadonlyArray<string>): string =>
  paths.find((path) => existsSync(path)) ?? Bun.which(name) ?? name

export const RUNTIMES: ReadonlyArray<Runtime> = [
  {
    name: "Deno",
    command: [
      found("deno", inModules("@deno/linux-x64-glibc/deno"), inModules("deno/deno")),
      "run",
      "--no-config",
      "--allow-read",
      "--allow-env"
    ],
    remedy: "`npm install` brings Deno; with scripts off, run `npm rebuild deno`, or put `deno` 2.9 on the path"
  },
  {
    name: "Node",
    command: [nodeCommand()],
    remedy: `put \`node\` ${FEWEST_NODE} or later on the path; on Linux x64 \`npm test\` installs one from npm for itself`
  }
]

/** Throws how to get a runtime that is not here, or is too old. */
export const requireRuntime = ({ name, command, remedy }: Runtime): void => {
  const version = Bun.spawnSync([command[0]!, "--version"], { stdin: "ignore" }).stdout.toString()
  if (name === "Node" && majorOf(command[0]!) < FEWEST_NODE) throw new Error(remedy)
  if (version === "") throw new Error(remedy)
}
