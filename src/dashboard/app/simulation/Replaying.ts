import { useCallback, useEffect, useMemo, useRef, useState } from "react"
import type { ScenarioSpec } from "../../../../engine/simulation/Scenario.ts"
import { every } from "../Platform.ts"
import { type Linked, linkOf, readLink } from "./SimulationLink.ts"
import type { StepView } from "./StepView.ts"
import type { FromWorker, Outcome, ToWorker } from "./RecordingMessage.ts"

/** What is played where the address names nothing. */
const FIRST: ScenarioSpec = { seed: 12, orders: 12, traders: 8, faults: true }

/** Milliseconds between two moves while it plays. */
const MOVE = 100

/** What the page knows of the scenario that is played. */
export interface Replayed {
  readonly spec: ScenarioSpec
  /** Steps that can be seen. */
  readonly steps: number
  /** What it came to, once its end is known. */
  readonly outcome: Outcome | undefined
  /** The step that is looked at; undefined for the last one, whichever that is. */
  readonly at: number | undefined
  readonly view: StepView | undefined
  readonly problem: string | undefined
}

export interface Replaying extends Replayed {
  readonly step: number
  readonly isPlaying: boolean
  readonly open: (linked: Linked) => void
  readonly go: (step: number) => void
  readonly play: (on: boolean) => void
  /** Shows the market of an order. */
  readonly choose: (order: string) => void
}

const begun = ({ spec, step }: Linked, problem?: string): Replayed => ({
  spec,
  steps: 0,
  outcome: undefined,
  at: step,
  view: undefined,
  problem
})

/** What an address opens. */
const linkedBy = (address: string): Replayed => {
  const read = readLink(address.replace(/^#/, ""))
  if (typeof read === "string") return begun({ spec: FIRST, step: undefined }, read)
  return begun(address.length > 1 ? read : { spec: FIRST, step: undefined })
}

const told = (before: Replayed, message: FromWorker): Replayed => {
  switch (message._tag) {
    case "Progress":
      return { ...before, steps: message.steps, outcome: message.outcome }
    case "View":
      return { ...before, view: message.view }
    case "Failed":
      return { ...before, problem: message.message }
  }
}

const workerAddress = (): string =>
  document.querySelector<HTMLMetaElement>(`meta[name="simulation-worker"]`)?.content ?? ""

/** The worker that simulates. It hears of scenarios by number, and what it says of an earlier one is not heard. */
const useWorker = (onTold: (message: FromWorker) => void) => {
  const worker = useRef<Worker>(null)
  const run = useRef(0)
  useEffect(() => {
    const made = new Worker(workerAddress(), { type: "module" })
    made.addEventListener("message", ({ data }: MessageEvent<FromWorker>) => {
      if (data.run === run.current) onTold(data)
    })
    worker.current = made
    return () => made.terminate()
  }, [onTold])
  return useMemo(
    () => ({
      open: (spec: ScenarioSpec) => {
        run.current += 1
        worker.current?.postMessage({ _tag: "Open", run: run.current, spec } satisfies ToWorker)
      },
      show: (step: number, order: string | undefined) =>
        worker.current?.postMessage({ _tag: "Show", run: run.current, step, order } satisfies ToWorker)
    }),
    []
  )
}

/** Plays the scenario that the page's address names, and keeps the address as what is played. */
export const useReplaying = (rate: number): Replaying => {
  const [state, setState] = useState(() => linkedBy(location.hash))
  const [isPlaying, play] = useState(false)
  const [order, choose] = useState<string>()
  const hear = useCallback((message: FromWorker) => setState((before) => told(before, message)), [])
  const worker = useWorker(hear)
  const { at, outcome, spec, steps } = state
  // The worker shows a step as soon as there is one: until the end is known, one that is asked for may still come.
  const step = at !== undefined && outcome === undefined ? at : Math.min(at ?? steps, steps)

  useEffect(() => worker.open(spec), [worker, spec])
  useEffect(() => worker.show(step, order), [worker, spec, step, order])
  useEffect(() => {
    if (!isPlaying) history.replaceState(null, "", `#${linkOf({ spec, step: at })}`)
  }, [spec, at, isPlaying])
  useEffect(() => {
    const read = () => setState(linkedBy(location.hash))
    addEventListener("hashchange", read)
    return () => removeEventListener("hashchange", read)
  }, [])

  const isOver = outcome !== undefined && step >= steps
  useEffect(() => {
    if (!isPlaying) return undefined
    if (isOver) return play(false)
    return every(MOVE, () => setState((before) => ({ ...before, at: Math.min((before.at ?? 0) + rate, before.steps) })))
  }, [isPlaying, isOver, rate])

  const open = useCallback((linked: Linked) => {
    play(false)
    setState((before) => ({ ...begun(linked), view: linked.step === undefined ? undefined : before.view }))
  }, [])
  const go = useCallback((to: number) => {
    play(false)
    setState((before) => {
      const within = Math.max(0, Math.min(to, before.steps))
      return { ...before, at: before.outcome !== undefined && within === before.steps ? undefined : within }
    })
  }, [])
  const playFrom = useCallback(
    (on: boolean) => {
      if (on && isOver) setState((before) => ({ ...before, at: 0 }))
      play(on)
    },
    [isOver]
  )
  return { ...state, step, isPlaying, open, go, play: playFrom, choose }
}
