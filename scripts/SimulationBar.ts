import progress from "cli-progress"

/** Milliseconds after which a simulation counts as long. */
const LONG = 1_000

/** A bar on standard error, where a person watches and has waited for a while. */
export interface SimulationBar {
  readonly show: (value: number, total: number, payload: Readonly<Record<string, string>>) => void
  readonly stop: () => void
}

/** `format` is what is written after the bar, in the placeholders of `cli-progress`. */
export const makeBar = (format: string): SimulationBar => {
  const bar = new progress.SingleBar(
    { format: `simulating [{bar}] ${format} | {eta_formatted} left`, clearOnComplete: true },
    progress.Presets.shades_classic
  )
  const begun = performance.now()
  let isShown = false
  return {
    show: (value, total, payload) => {
      if (performance.now() - begun < LONG) return
      if (!isShown) bar.start(total, value, payload)
      isShown = true
      bar.update(value, payload)
    },
    stop: () => {
      if (isShown) bar.stop()
      isShown = false
    }
  }
}
