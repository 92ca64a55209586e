import { Effect } from "effect"
import { spawn, spawnSync } from "node:child_process"
import type { ChildProcess } from "node:child_process"
import { readFileSync } from "node:fs"

/**
 * How to start PostgreSQL, which refuses to run as root or as a user without a name. Each way works on folders that
 * only their owner can read, and none needs a user to be created.
 *
 * - `none`: as it is, by an ordinary user
 * - `namespace`: in a user namespace where the user appears as `nobody`
 * - `nobody`: as `nobody`, who keeps root's right to pass file permissions. For containers without user namespaces.
 */
export type Isolation = "none" | "namespace" | "nobody"

/** The uid and gid of `nobody` on every Linux. */
export const NOBODY = 65_534

const NAMESPACE = ["unshare", "--user", `--map-user=${NOBODY}`, `--map-group=${NOBODY}`]

// access(2) forgets the kept capability unless no_setuid_fixup is set, and PostgreSQL checks its files with it.
const AS_NOBODY = [
  `--reuid=${NOBODY}`,
  `--regid=${NOBODY}`,
  "--clear-groups",
  "--inh-caps=+dac_override",
  "--ambient-caps=+dac_override",
  "--securebits=+no_setuid_fixup"
]

const succeeds = (command: string, ...args: ReadonlyArray<string>): boolean =>
  spawnSync(command, args, { stdio: "ignore" }).status === 0

/** The way that works here, or undefined when root has none. */
export const findIsolation: Effect.Effect<Isolation | undefined> = Effect.sync(() => {
  const isRoot = process.getuid?.() === 0
  if (process.platform !== "linux" || (!isRoot && succeeds("id", "-un"))) return "none"
  const [unshare = "", ...namespace] = NAMESPACE
  if (succeeds(unshare, ...namespace, "setpriv", "--pdeathsig", "INT", "true")) return "namespace"
  if (!isRoot) return "none"
  return succeeds("setpriv", ...AS_NOBODY, "--pdeathsig", "INT", "true") ? "nobody" : undefined
})

const hasSetpriv = (): boolean => process.platform === "linux" && succeeds("setpriv", "--pdeathsig", "INT", "true")

/** The command that runs a program so that it ends with this process, as far as the system can see to it. */
export const isolated = (isolation: Isolation, program: ReadonlyArray<string>): ReadonlyArray<string> => {
  const tied = ["--pdeathsig", "INT", ...program]
  if (isolation === "namespace") return [...NAMESPACE, "setpriv", ...tied]
  if (isolation === "nobody") return ["setpriv", ...AS_NOBODY, ...tied]
  return hasSetpriv() ? ["setpriv", ...tied] : program
}

/** How a process ended. */
export interface Ended {
  readonly code: number | null
  readonly signal: string | null
  /** Why it could not be started, when it could not. */
  readonly failure?: string
}

export interface StartedProcess {
  readonly child: ChildProcess
  readonly ended: Promise<Ended>
}

/** Nothing of the caller's own PostgreSQL settings (`PGDATA`, `PGPORT`, …) reaches the program. */
const environment = (): Record<string, string> => ({ PATH: process.env["PATH"] ?? "", LC_ALL: "C", TZ: "UTC" })

/**
 * Starts a program in a session of its own, so that a Ctrl-C in the terminal is not also sent to it.
 *
 * @param output - a file descriptor for what it writes
 * @param input - what it reads
 */
export const startProcess = (command: ReadonlyArray<string>, output: number, input?: string): StartedProcess => {
  const [program = "", ...args] = command
  const child = spawn(program, args, {
    cwd: "/",
    detached: true,
    env: environment(),
    stdio: [input === undefined ? "ignore" : "pipe", output, output]
  })
  const ended = new Promise<Ended>((resolve) => {
    child.once("exit", (code, signal) => resolve({ code, signal }))
    child.once("error", (error) => resolve({ code: null, signal: null, failure: error.message }))
  })
  if (input !== undefined) child.stdin?.end(input)
  return { child, ended }
}

/** Sends a signal, 0 to only ask; false when there is no such process. */
export const signal = (pid: number, name: NodeJS.Signals | 0): boolean => {
  try {
    return process.kill(pid, name)
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM"
  }
}

export interface ProcessInfo {
  readonly parent: number
  readonly command: string
}

/** The parent and command line of a process, or undefined when there is none. */
export const processInfo = (pid: number): ProcessInfo | undefined =>
  process.platform === "linux" ? fromProc(pid) : fromPs(pid)

const fromProc = (pid: number): ProcessInfo | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
    if (state === "Z") return undefined
    return { parent: Number(parent), command: readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ") }
  } catch {
    return undefined
  }
}

const fromPs = (pid: number): ProcessInfo | undefined => {
  const { stdout } = spawnSync("ps", ["-o", "ppid=,command=", "-p", String(pid)], { encoding: "utf8" })
  const [, parent, command] = /^\s*(\d+)\s+(.*)/.exec(stdout) ?? []
  return parent === undefined || command === undefined ? undefined : { parent: Number(parent), command }
}
