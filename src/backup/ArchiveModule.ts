import { Context, Effect, Layer } from "effect"
import * as BackupPlace from "./BackupPlace.ts"
import { BackupStore } from "./BackupStore.ts"
import { bounded } from "./BoundedCalls.ts"
import { Settings } from "../Config.ts"
import { WriterTerm } from "../database/WriterTerm.ts"
import { unavailableOrDie } from "../database/DatabaseError.ts"
import { type Module, nothing } from "../Module.ts"
import * as Retention from "../Retention.ts"
import { MAX_REPLAY_EVENTS } from "../stream/Resume.ts"
import { ArchiveRepository } from "./ArchiveRepository.ts"
import { archivingStep } from "./JournalArchiving.ts"

/** A stream that resumes reads the last events again, while more come behind it. */
const KEPT_EVENTS = 2 * MAX_REPLAY_EVENTS

/** Some thousand events, of which nothing takes longer than milliseconds at a time. */
const FILE_CHARACTERS = 1_048_576

/** Rows are stored packed, to a sixth of their length: some 1.5 MB, and so not much more than a file. */
const PAGE_BYTES = 262_144

/** The journal, at its age, where the settings name an archive. */
const retention = Layer.unwrap(
  Effect.map(Settings, ({ retention: { journal, journalArchive } }) =>
    journalArchive === undefined
      ? Layer.empty
      : Retention.running(
          Effect.gen(function* () {
            const context = yield* Effect.context<ArchiveRepository | WriterTerm>()
            const place = Layer.buildWithScope(BackupPlace.layer(journalArchive), yield* Effect.scope)
            const store = yield* Effect.cached(Effect.map(place, (built) => bounded(Context.get(built, BackupStore))))
            const plan = {
              kept: KEPT_EVENTS,
              limit: Retention.STEP_ROWS,
              characters: FILE_CHARACTERS,
              pageBytes: PAGE_BYTES
            }
            const step = archivingStep(plan)
            return {
              kind: "journal",
              days: journal,
              step: (horizon: number) =>
                step(horizon).pipe(
                  Effect.provideServiceEffect(BackupStore, store),
                  Effect.provideContext(context),
                  unavailableOrDie
                )
            }
          })
        )
  )
).pipe(Layer.provide(ArchiveRepository.layer))

/** The journal's archive. */
export const module = { ...nothing, background: retention } satisfies Module
