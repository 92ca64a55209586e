import { parentPort, workerData } from "node:worker_threads"
import type { Planted } from "../../engine/simulation/SimulationEnvironment.ts"
import { blockOutcome } from "../campaign/BlockOutcome.ts"
import { extensionNamed } from "../ExtensionLoading.ts"
import { outcomeOf, shrunken } from "../ShrunkFailure.ts"
import { compression, hashing, readHistory } from "../SimulationPlatform.ts"
import type { SeedAnswer, SeedAnswers, SeedData, SeedTask } from "./SeedTask.ts"

/** In a worker: answers each task in turn. `planted` puts parts with faults of their own into every simulation. */
export const serveSeeds = (planted: Planted = {}): void => {
  const history = readHistory(new URL("../../data/daily-rates-per-usd.csv", import.meta.url))
  const { world } = (workerData ?? {}) as SeedData
  const answer = async (task: SeedTask): Promise<SeedAnswers[SeedTask["_tag"]]> => {
    const environment = { compression, hashing, history, planted, world, extension: await extensionNamed(task.spec) }
    if (task._tag === "Shrink") return shrunken(task.spec, task.violation, environment)
    if (task._tag === "Block") return blockOutcome([task.spec, ...task.others], environment)
    return outcomeOf(task.spec, environment)
  }
  const sent = (task: SeedTask): Promise<SeedAnswer> =>
    answer(task).then(
      (done) => ({ done }),
      (cause: unknown) => ({ failed: cause instanceof Error ? cause.message : String(cause) })
    )
  parentPort?.on("message", async (task: SeedTask) => parentPort?.postMessage(await sent(task), []))
}
