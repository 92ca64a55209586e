import { after } from "../Platform.ts"
import type { SimulationEnvironment } from "../../../../engine/simulation/SimulationEnvironment.ts"
import { Recording } from "./Recording.ts"
import type { FromWorker, ToWorker } from "./RecordingMessage.ts"

/** Turns of fibers between two looks at what the page asks: some hundredths of a second. */
const TURNS = 4_000

interface Opened {
  readonly run: number
  readonly recording: Recording
  /** What the page wants to see, and cannot yet. */
  wanted: (ToWorker & { readonly _tag: "Show" }) | undefined
}

let opened: Opened | undefined

const tell = (message: FromWorker): void => postMessage(message)

const show = (of: Opened): void => {
  const { recording, run, wanted } = of
  if (wanted === undefined || (wanted.step > recording.steps && recording.result === undefined)) return
  of.wanted = undefined
  tell({ _tag: "View", run, view: recording.view(wanted.step, wanted.order) })
}

const goOn = (of: Opened): void => {
  if (of !== opened) return
  const { recording, run } = of
  recording.advance(TURNS)
  const { result, steps } = recording
  const outcome = result && {
    events: result.events,
    eventsHash: result.eventsHash,
    stateHash: result.stateHash,
    violation: result.violation
  }
  tell({ _tag: "Progress", run, steps, outcome })
  show(of)
  if (result === undefined) after(0, () => goOn(of))
}

const open = ({ run, spec }: ToWorker & { readonly _tag: "Open" }, environment: SimulationEnvironment): void => {
  try {
    opened = { run, recording: new Recording(spec, environment), wanted: undefined }
    goOn(opened)
  } catch (thrown) {
    tell({ _tag: "Failed", run, message: String(thrown) })
  }
}

/** In a worker: plays the scenario that the page opened last, and shows it whatever step it asks for. */
export const serveRecordings = (environment: SimulationEnvironment): void => {
  // Refusals are values: nobody reads where they were made, and telling that costs more than the refusal.
  Error.stackTraceLimit = 0
  addEventListener("message", ({ data }: MessageEvent<ToWorker>) => {
    if (data._tag === "Open") return open(data, environment)
    if (opened?.run !== data.run) return
    opened.wanted = data
    show(opened)
  })
}
