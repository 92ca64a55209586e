import type { Planted } from "../../engine/simulation/Simulation.ts"
import { outcomeOf, shrunken } from "../ShrunkFailure.ts"
import { compression, hashing, readHistory } from "../SimulationPlatform.ts"
import type { SeedAnswers, SeedTask } from "./SeedTask.ts"

declare const self: Worker

/** In a worker: answers each task in turn. `planted` puts parts with faults of their own into every simulation. */
export const serveSeeds = (planted: Planted = {}): void => {
  const history = readHistory(new URL("../../data/daily-rates-per-usd.csv", import.meta.url))
  const environment = { compression, hashing, history, planted }
  const answer = (task: SeedTask): SeedAnswers[SeedTask["_tag"]] => {
    if (task._tag === "Shrink") return shrunken(task.spec, task.violation, environment)
    return outcomeOf(task.spec, environment)
  }
  self.addEventListener("message", ({ data }: MessageEvent<SeedTask>) => self.postMessage(answer(data), []))
}
