import { expect } from "bun:test"
import { Effect } from "effect"
import type { Scope } from "effect"
import { type ChildProcessByStdio, spawn } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import type { Readable } from "node:stream"
import { MEMORY } from "../../scripts/launch/Memory.ts"
import { DATABASE, USER } from "../../src/database/PostgresCluster.ts"
import { socketFile, socketFolder } from "../../src/database/PostgresSocket.ts"
import { readPostmaster } from "../../src/database/Postmaster.ts"
import { keptKeyFile } from "../../src/SecretKey.ts"
import { OWN_RUNTIME, type RuntimeName, serverCommand } from "./Programs.ts"
import { seeLog, useSecret } from "./SecretMonitor.ts"

/** Longest that a start, and a stop or a refused start, may take, in milliseconds. */
const START_LIMIT = 60_000
const END_LIMIT = 30_000
const POLL = 5

/** The most that counts of the time between two looks. */
const MAX_PAUSE = 500

/** How a server's process ended. */
interface Ended {
  readonly code: number | null
  readonly signal: string | number | null
  readonly stdout: string
  readonly stderr: string
}

/** A name and its secret. */
interface Credentials {
  readonly name: string
  readonly secret: string
}

/** The platform in a process of its own, ready for requests. */
export interface ServerProcess {
  readonly url: string
  readonly pid: number
  /** The sandbox's API client, and the person of the demo, as the banner shows them. */
  readonly client: Credentials
  readonly person: Credentials
  /** Everything said so far. */
  readonly said: () => Pick<Ended, "stdout" | "stderr">
  /** Sends a signal, at once. */
  readonly send: (signal: NodeJS.Signals) => void
  /** Waits for its end. */
  readonly ended: Effect.Effect<Ended>
}

/**
 * Looks until there is something, and dies with a sentence when there is nothing in time. A pause of the whole process
 * counts as one look: what arrived meanwhile is read after it.
 */
export const eventually = <A>(what: string, limit: number, look: () => A | undefined): Effect.Effect<A> =>
  Effect.gen(function* () {
    let left = limit
    for (let last = performance.now(); ;) {
      const found = look()
      if (found !== undefined) return found
      const now = performance.now()
      left -= Math.min(now - last, MAX_PAUSE)
      last = now
      if (left < 0) return yield* Effect.die(new Error(`not within ${limit} ms: ${what}`))
      yield* Effect.sleep(POLL)
    }
  })

/** How the runtime keeps memory, as `npm start` sets it for a server and the bench for all that it compares. */
const memory = (): Record<string, string> =>
  Object.fromEntries(
    Object.keys(MEMORY).flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]))
  )

/** Nothing else of the test's own settings reaches the server. */
const environment = (variables: Readonly<Record<string, string>>, runtime: RuntimeName): Record<string, string> => ({
  // Deno keeps there what it has compiled.
  ...(runtime === "deno" ? { HOME: homedir() } : {}),
  PATH: process.env["PATH"] ?? "",
  TMPDIR: process.env["TMPDIR"] ?? "/tmp",
  PORT: "0",
  RATE_LIMITS: "off",
  SANDBOX_TRADERS: "0",
  LOG_LEVEL: "warn",
  ...memory(),
  ...variables
})

interface Started {
  readonly child: ChildProcessByStdio<null, Readable, Readable>
  readonly said: { stdout: string; stderr: string }
  readonly ended: Promise<Ended>
}

/** What a server that has ended used and logged, for the run's search. The banner on standard output shows secrets. */
const remember = (variables: Readonly<Record<string, string>>, stderr: string): void => {
  for (const line of stderr.split("\n")) seeLog("server", line)
  for (const name of ["SECRET_KEY", "ADMIN_PASSWORD", "SMTP_URL"]) useSecret(name, variables[name] ?? "")
  const { DATA_DIR: folder } = variables
  if (folder === undefined) return
  useSecret("SECRET_KEY", textOf(keptKeyFile(folder)).trim())
  for (const line of textOf(join(folder, "postgres.log")).split("\n")) seeLog("PostgreSQL", line)
}

const textOf = (file: string): string => (existsSync(file) ? readFileSync(file, "utf8") : "")

const start = (variables: Readonly<Record<string, string>>, runtime: RuntimeName): Started => {
  const [command, ...options] = serverCommand(runtime)
  const child = spawn(command, options, { env: environment(variables, runtime), stdio: ["ignore", "pipe", "pipe"] })
  const said = { stdout: "", stderr: "" }
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8")
    child[name].on("data", (text: string) => void (said[name] += text))
  }
  const ended = new Promise<Ended>((resolve) => {
    child.once("close", (code, signal) => {
      remember(variables, said.stderr)
      resolve({ code, signal, ...said })
    })
  })
  return { child, said, ended }
}

/** Killed with the scope, unless it ended before. */
const spawned = (
  variables: Readonly<Record<string, string>>,
  runtime: RuntimeName = OWN_RUNTIME
): Effect.Effect<Started, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => start(variables, runtime)),
    ({ child, ended }) =>
      Effect.suspend(() => {
        if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL")
        return Effect.promise(() => ended)
      })
  )

const waitFor = ({ ended, said }: Started): Effect.Effect<Ended> =>
  Effect.timeoutOrElse(
    Effect.promise(() => ended),
    {
      duration: END_LIMIT,
      orElse: () => Effect.die(new Error(`the server did not end: ${said.stderr}`))
    }
  )

/** Runs the program until it ends by itself. */
export const runToEnd = (variables: Readonly<Record<string, string>>): Effect.Effect<Ended> =>
  Effect.scoped(Effect.flatMap(spawned(variables), waitFor))

/** The one line that a start which cannot succeed ends with. */
export const refusedStart = (variables: Readonly<Record<string, string>>): Effect.Effect<string> =>
  Effect.map(runToEnd(variables), ({ code, stderr, stdout }) => {
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" })
    expect(stderr.endsWith("\n")).toBe(true)
    return stderr.slice(0, -1)
  })

/** Starts the program and kills it after so many milliseconds, wherever it is by then. */
export const startAndKill = (variables: Readonly<Record<string, string>>, millis: number): Effect.Effect<void> =>
  Effect.scoped(Effect.andThen(spawned(variables), Effect.sleep(millis)))

const credentials = (banner: string, line: string): Credentials => {
  const [, name = "", secret = ""] = new RegExp(`^${line} +(\\S+)  (\\S+)$`, "m").exec(banner) ?? []
  useSecret(line, secret)
  return { name, secret }
}

const URL_LINE = /^Emporion +(\S+)/m
const LAST_LINE = /^3\. .*\n/m

/** Starts the program on any free port and waits until it is ready. It is killed with the scope. */
export const startServer = Effect.fnUntraced(function* (
  variables: Readonly<Record<string, string>>,
  runtime: RuntimeName = OWN_RUNTIME
): Effect.fn.Return<ServerProcess, never, Scope.Scope> {
  const started = yield* spawned(variables, runtime)
  const { child, said } = started
  yield* eventually("a server that listens", START_LIMIT, () => {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}: ${said.stderr}`)
    return LAST_LINE.test(said.stdout) ? true : undefined
  })
  const url = URL_LINE.exec(said.stdout)?.[1] ?? ""
  return {
    url,
    pid: child.pid ?? 0,
    client: credentials(said.stdout, "API client"),
    person: credentials(said.stdout, "Demo login"),
    said: () => said,
    // Deno takes a child that was sent a signal by its own method for one that the signal ended.
    send: (signal) => void process.kill(child.pid ?? 0, signal),
    ended: waitFor(started)
  }
})

/** How to reach the embedded database of a data folder. */
export const embeddedDatabase = (dataDir: string) => ({
  path: socketFile(socketFolder(dataDir)),
  username: USER,
  database: DATABASE
})

/** The embedded PostgreSQL's process. */
export const postgresPid = (dataDir: string): number => {
  const { pid = 0 } = readPostmaster(join(dataDir, "postgres")) ?? {}
  return pid
}

/** What the embedded PostgreSQL wrote to its log. */
export const postgresLog = (dataDir: string): string => readFileSync(join(dataDir, "postgres.log"), "utf8")
