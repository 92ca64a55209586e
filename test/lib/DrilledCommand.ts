/**
 * The command line, loaded ahead: says when it is, and runs the arguments that it reads from standard input. So a kill
 * strikes a command that works, and not a runtime that loads it.
 */
import "../../src/App.ts"
import manifest from "../../package.json" with { type: "json" }
import { emporion } from "../../src/cli/Commands.ts"
import { runCommand } from "../../src/cli/RunCommand.ts"

process.stdout.write("loaded\n")
const [line = "[]"] = (await Bun.stdin.text()).split("\n")
process.argv.splice(2, Infinity, ...(JSON.parse(line) as ReadonlyArray<string>))
runCommand(emporion, manifest.version)
