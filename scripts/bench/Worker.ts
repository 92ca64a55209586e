import { Effect } from "effect"
import type { Scope } from "effect"
import { join } from "node:path"
import { denoCommand, type RuntimeName } from "../../test/lib/Programs.ts"
import { MEMORY } from "../launch/Memory.ts"

/** What a worker answers: a value, or why there is none. */
interface Reply {
  readonly value?: unknown
  readonly failure?: string
}

/** A process of its own that answers requests, one at a time. */
export interface Worker<Request, Answer> {
  readonly pid: number
  readonly ask: (request: Request) => Effect.Effect<Answer>
}

/** In a worker's process: answers each request in turn, until the parent is gone. */
export const serve = <Request, Answer>(answer: (request: Request) => Promise<Answer> | Answer): void => {
  process.on("message", (request: Request) => {
    Promise.resolve()
      .then(() => answer(request))
      .then(
        (value): Reply => ({ value }),
        (error: unknown): Reply => ({
          failure: error instanceof Error ? (error.stack ?? error.message) : String(error)
        })
      )
      .then((reply) => process.send?.(reply))
  })
  process.on("disconnect", () => process.exit(0))
  process.send?.({ value: "ready" } satisfies Reply)
}

/** How a worker runs: by default on Bun, without options. */
export interface WorkerPlace {
  readonly runtime?: RuntimeName
  /** Of the runtime. */
  readonly options?: ReadonlyArray<string>
  /** How it keeps memory; by default as the bench itself, which is as a server. */
  readonly memory?: Readonly<Record<string, string>>
}

/** The variables of a worker that keeps memory in a way of its own. */
const variablesFor = (memory: Readonly<Record<string, string>>): NodeJS.ProcessEnv => ({
  ...process.env,
  ...Object.fromEntries(Object.keys(MEMORY).map((name) => [name, undefined])),
  ...memory
})

const commandOf = (script: string, { options = [], runtime = "bun" }: WorkerPlace): ReadonlyArray<string> => {
  const file = join(import.meta.dirname, script)
  return runtime === "deno" ? denoCommand(file, options) : [process.execPath, ...options, file]
}

/** Starts a script of this folder as a worker. It is killed with the scope. */
export const startWorker = Effect.fnUntraced(function* <Request, Answer>(
  script: string,
  place: WorkerPlace = {}
): Effect.fn.Return<Worker<Request, Answer>, never, Scope.Scope> {
  const waiting: Array<PromiseWithResolvers<unknown>> = []
  const expected = (): Promise<unknown> => {
    const answer = Promise.withResolvers<unknown>()
    waiting.push(answer)
    return answer.promise
  }
  const ready = expected()
  const child = yield* Effect.acquireRelease(
    Effect.sync(() =>
      Bun.spawn([...commandOf(script, place)], {
        stdio: ["ignore", "inherit", "inherit"],
        ...(place.memory && { env: variablesFor(place.memory) }),
        serialization: place.runtime === "deno" ? "json" : "advanced",
        ipc: (reply: Reply) => {
          if (reply.failure === undefined) waiting.shift()?.resolve(reply.value)
          else waiting.shift()?.reject(new Error(`${script}: ${reply.failure}`))
        },
        onExit: (_, code, signal) => {
          for (const answer of waiting.splice(0)) answer.reject(new Error(`${script} ended: ${code ?? signal}`))
        }
      })
    ),
    (child) =>
      Effect.promise(() => {
        child.kill("SIGKILL")
        return child.exited
      })
  )
  yield* Effect.promise(() => ready)
  const ask = (request: Request): Effect.Effect<Answer> =>
    Effect.promise(() => {
      const answer = expected()
      child.send(request)
      return answer as Promise<Answer>
    })
  return { pid: child.pid, ask }
})
