import { Worker } from "node:worker_threads"
import type { ScenarioSpec } from "../../engine/simulation/Scenario.ts"
import { commandOf, type SimulationSpec } from "../../engine/simulation/Shrink.ts"
import type { Violation } from "../../engine/simulation/SimulationResult.ts"
import type { BlockOutcome } from "../campaign/BlockOutcome.ts"
import type { SeedOutcome, ShrunkFailure } from "../ShrunkFailure.ts"
import type { SeedAnswer, SeedAnswers, SeedData, SeedTask } from "./SeedTask.ts"

/** The script of workers that simulate the program as it is. */
export const SEED_WORKER = new URL("SeedWorker.ts", import.meta.url)

/** A thread that does one task at a time. */
class SeedWorker {
  readonly #worker: Worker
  #task: { readonly spec: SimulationSpec; readonly answer: PromiseWithResolvers<unknown> } | undefined

  constructor(script: URL, data: SeedData) {
    this.#worker = new Worker(script, { workerData: data })
    this.#worker.on("message", (answer: SeedAnswer) => {
      if ("failed" in answer) this.#fail(answer.failed)
      else this.#task?.answer.resolve(answer.done)
    })
    this.#worker.on("error", (error) => this.#fail(error instanceof Error ? error.message : String(error)))
    this.#worker.on("exit", () => this.#fail("its worker ended"))
  }

  async ask<Tag extends SeedTask["_tag"]>(task: SeedTask & { readonly _tag: Tag }): Promise<SeedAnswers[Tag]> {
    const answer = Promise.withResolvers<unknown>()
    this.#task = { spec: task.spec, answer }
    this.#worker.postMessage(task, [])
    return (await answer.promise) as SeedAnswers[Tag]
  }

  stop(): void {
    this.#task = undefined
    void this.#worker.terminate()
  }

  #fail(reason: string): void {
    const { answer, spec } = this.#task ?? {}
    if (spec !== undefined) answer?.reject(new Error(`${commandOf(spec)} came to no result: ${reason}`))
  }
}

/** Threads that simulate scenarios side by side. They end with `stop`, or with the process. */
export class SeedWorkers {
  readonly #workers: ReadonlyArray<SeedWorker>

  /** @param data - what each worker is given, so that no worker reads it again */
  constructor(jobs: number, data: SeedData = {}, script: URL = SEED_WORKER) {
    this.#workers = Array.from({ length: jobs }, () => new SeedWorker(script, data))
  }

  /** Runs each scenario on whichever worker is free, and tells outcomes as they come, in any order. */
  async run(
    specs: Generator<SimulationSpec>,
    onOutcome: (outcome: SeedOutcome, spec: SimulationSpec) => void
  ): Promise<void> {
    const work = async (worker: SeedWorker): Promise<void> => {
      for (const spec of specs) onOutcome(await worker.ask({ _tag: "Run", spec }), spec)
    }
    await Promise.all(this.#workers.map(work))
  }

  /** Runs blocks of scenarios, each on whichever worker is free, and tells what they came to, in any order. */
  async runBlocks(
    blocks: Generator<readonly [ScenarioSpec, ...ReadonlyArray<ScenarioSpec>]>,
    onOutcome: (outcome: BlockOutcome) => void
  ): Promise<void> {
    const work = async (worker: SeedWorker): Promise<void> => {
      for (const [spec, ...others] of blocks) onOutcome(await worker.ask({ _tag: "Block", spec, others }))
    }
    await Promise.all(this.#workers.map(work))
  }

  /** Makes a failing scenario smaller, while none is run. */
  async shrink(spec: SimulationSpec, violation: Violation): Promise<ShrunkFailure | undefined> {
    return this.#workers[0]?.ask({ _tag: "Shrink", spec, violation })
  }

  /** Ends every thread at once, whatever it does. */
  stop(): void {
    for (const worker of this.#workers) worker.stop()
  }
}
