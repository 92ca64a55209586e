import { Context, Effect } from "effect"
import progress from "cli-progress"

/** Told how far a log was read. */
export interface Progress {
  /** How many events there are, told once. */
  readonly begin: (total: number) => void
  readonly at: (events: number) => void
}

const SILENT: Progress = { begin: () => undefined, at: () => undefined }

/** Who is told how far a log was read; nobody by default. */
export class ReadingProgress extends Context.Reference<Progress>("emporion/cli/ReadingProgress", {
  defaultValue: () => SILENT
}) {}

/** Shows a bar on standard error while the effect runs, where a person watches. */
export const withBar =
  (what: string) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.suspend(() => {
      const bar = new progress.SingleBar(
        {
          format: `${what} [{bar}] {percentage} % | {value} of {total} events | {eta_formatted} left`,
          clearOnComplete: true
        },
        progress.Presets.shades_classic
      )
      const shown: Progress = { begin: (total) => bar.start(total, 0), at: (events) => bar.update(events) }
      return effect.pipe(Effect.provideService(ReadingProgress, shown), Effect.ensuring(Effect.sync(() => bar.stop())))
    })
