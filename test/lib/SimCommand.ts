import { spyOn } from "bun:test"
import { Effect } from "effect"
import { join } from "node:path"
import { format } from "node:util"
import manifest from "../../package.json" with { type: "json" }
import { runSimulation } from "../../scripts/SimulationRun.ts"
import { simulator } from "../../scripts/SimulatorCommand.ts"
import { commandLine, endOf } from "../../src/cli/RunCommand.ts"

const root = join(import.meta.dir, "../..")

/** Runs `npm run sim` with these arguments in a process of its own, and waits for its end. */
export const sim = (...given: ReadonlyArray<string>) => {
  const child = Bun.spawnSync([process.execPath, join(root, "scripts/sim.ts"), ...given], {
    cwd: root,
    stdin: "ignore"
  })
  return { code: child.exitCode, out: child.stdout.toString(), err: child.stderr.toString() }
}

const runSubcommand = async (given: ReadonlyArray<string>): Promise<number> => {
  const { code, untold } = endOf(await Effect.runPromiseExit(commandLine(simulator, manifest.version, given)))
  if (untold !== "") console.error(untold.trimEnd())
  return code
}

/** What a command that answers its exit code prints in this process. Not at the same time as another. */
export const told = async (command: () => Promise<number>): Promise<ReturnType<typeof sim>> => {
  const [out, err] = [spyOn(console, "log").mockReturnValue(), spyOn(console, "error").mockReturnValue()]
  const textOf = (spy: typeof out): string => spy.mock.calls.map((words) => `${format(...words)}\n`).join("")
  try {
    return { code: await command(), out: textOf(out), err: textOf(err) }
  } finally {
    out.mockRestore()
    err.mockRestore()
  }
}

/** The same as `sim` in this process, which has loaded everything already. */
export const simHere = (...given: ReadonlyArray<string>): ReturnType<typeof told> =>
  told(() => (given[0]?.startsWith("-") === true ? runSimulation(given) : runSubcommand(given)))
