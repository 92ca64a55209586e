/** The whole program as one executable: `emporion start`, `demo`, `sim …`, and every command of the command line. */
import manifest from "../../package.json" with { type: "json" }
import { compileReluctantly } from "../../src/runtime/bun/BunCompilation.ts"
import { memoryFor } from "../launch/Memory.ts"

const [command] = process.argv.slice(2)

/** Set in a process that has the settings of its memory. */
const RESTARTED = "EMPORION_MEMORY"

/** A command line that cannot be carried out. */
const MISUSED = 2

/** The settings of the runtime's memory count only from the start of a process. */
const withMemory = (): void => {
  if (process.env[RESTARTED] !== undefined || process.execve === undefined) return
  const args = [process.execPath, ...process.argv.slice(2)]
  process.execve(process.execPath, args, { ...memoryFor(process.versions["bun"]), ...process.env, [RESTARTED]: "set" })
}

const serve = async (): Promise<void> => {
  withMemory()
  compileReluctantly()
  const [BunRuntime, { run }] = await Promise.all([
    import("../../src/runtime/bun/BunRuntime.ts"),
    import("../../src/Serving.ts")
  ])
  run(BunRuntime.layer)
}

const operate = async (): Promise<void> => {
  const [{ emporion }, { runCommand }] = await Promise.all([
    import("../../src/cli/Commands.ts"),
    import("../../src/cli/RunCommand.ts")
  ])
  runCommand(emporion, manifest.version)
}

/** Pages of reports are bundled from the sources, and a campaign names the sources that it ran. */
const needsSources = ([subcommand, ...more]: ReadonlyArray<string>): boolean =>
  subcommand === "campaign" || [subcommand, ...more].some((one) => one?.split("=")[0] === "--report")

const simulate = async (): Promise<void> => {
  process.argv.splice(2, 1)
  if (!needsSources(process.argv.slice(2))) return void (await import("../sim.ts"))
  process.stderr.write(
    "emporion: sim --report and sim campaign need the project's sources: install them, and use npm run sim there.\n"
  )
  process.exitCode = MISUSED
}

switch (command) {
  case "demo":
    process.env["ARENA_PROFILE"] ??= "demo"
    await serve()
    break
  case "start":
    await serve()
    break
  case "sim":
    await simulate()
    break
  default:
    await operate()
}
