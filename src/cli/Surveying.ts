import { Data, Effect, Result } from "effect"
import type { ExportedWorld } from "../../engine/simulation/ExportedWorld.ts"
import { WorldSurvey } from "../../engine/simulation/WorldSurvey.ts"
import type { Finding } from "../../engine/replay/StoredEvent.ts"
import type { EventFileFailed } from "./EventFile.ts"
import { pagesOfFile } from "./ExportReader.ts"
import { findingText } from "./FindingText.ts"
import { hashing } from "./ReplayHashes.ts"

/** An export that no world can be made of. Its message tells what to do. */
export class SurveyFailed extends Data.TaggedError("SurveyFailed")<{ readonly message: string }> {}

const AGAIN =
  "Only an export that emporion verify and emporion replay accept makes a world: write it anew with emporion export"

const failed = (path: string, finding: Finding): SurveyFailed =>
  new SurveyFailed({ message: `${path}: ${findingText(finding)}. ${AGAIN}, by the version that recorded it.` })

/** Makes a world of a file that `emporion export` wrote. Each of its events is checked and decided again on the way. */
export const surveyExport = Effect.fn("cli.surveyExport")(function* (
  path: string
): Effect.fn.Return<ExportedWorld, SurveyFailed | EventFileFailed> {
  return yield* Effect.scoped(
    Effect.gen(function* () {
      const survey = new WorldSurvey(hashing)
      const next = yield* pagesOfFile(path)
      for (;;) {
        const page = yield* Effect.catchTag(next, "SqlError", Effect.die)
        for (const { event, sum } of page.events) {
          const finding = survey.step(event)
          if (finding !== undefined) return yield* failed(path, finding)
          if (sum !== survey.sum) {
            return yield* failed(path, { ...event, problem: "was altered: the log's hash is another here" })
          }
        }
        if (page.finding !== undefined) return yield* failed(path, page.finding)
        if (page.done) break
      }
      return yield* Effect.fromResult(
        Result.mapError(survey.end(), (problem) => new SurveyFailed({ message: `${path} ${problem}.` }))
      )
    })
  )
})
