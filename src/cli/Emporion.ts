import manifest from "../../package.json" with { type: "json" }
import { emporion } from "./Commands.ts"
import { runCommand } from "./RunCommand.ts"

runCommand(emporion, manifest.version)
