import { Effect } from "effect"
import type { Scope } from "effect"
import type { RuntimeName } from "../../test/lib/Programs.ts"
import { type ServerProcess, startServer } from "../../test/lib/ServerProcess.ts"
import type { BenchPostgres } from "./BenchPostgres.ts"
import { variablesOf } from "./BenchWorld.ts"
import type { Call, LoadPlan, LoadResult } from "./HttpLoad.ts"
import { startWorker, type Worker } from "./Worker.ts"

/** The variant of a case that compares the program on Deno with itself on Bun. */
export const ON_DENO = "deno"

/** The program in a process of its own, on a database of the run's PostgreSQL, with settings beside the usual ones. */
export const startProgram = (
  postgres: BenchPostgres,
  database: string,
  settings: Readonly<Record<string, string>> = {},
  runtime: RuntimeName = "bun"
): Effect.Effect<ServerProcess, never, Scope.Scope> =>
  startServer({ ...variablesOf(postgres, database), ...settings }, runtime)

export const portOf = (url: string): number => Number(new URL(url).port)

export type LoadGenerator = Worker<LoadPlan, LoadResult>

export const startLoadGenerator: Effect.Effect<LoadGenerator, never, Scope.Scope> = startWorker("LoadGenerator.ts")

/** Loads a server, and dies when it refuses anything: a refusal is cheaper than what is measured. */
export const loaded = (generator: LoadGenerator, plan: LoadPlan): Effect.Effect<LoadResult> =>
  Effect.flatMap(generator.ask(plan), (result) =>
    result.refused === 0
      ? Effect.succeed(result)
      : Effect.die(new Error(`${result.refused} requests were refused, the first with ${result.refusal}`))
  )

const textOf = async (url: string, { line, body }: Call, token: string): Promise<string> => {
  const [method = "", path = ""] = line.split(" ")
  const response = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body === "" ? {} : { body })
  })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${line} answered ${response.status}: ${text}`)
  return text
}

/** One answer, whole, as the program gives it. */
export const bodyOf = (url: string, call: Call, token: string): Effect.Effect<string> =>
  Effect.promise(() => textOf(url, call, token))
