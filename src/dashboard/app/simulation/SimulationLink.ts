import type { ScenarioSpec } from "../../../../engine/simulation/Scenario.ts"
import { commandOf } from "../../../../engine/simulation/Shrink.ts"
import { readArguments } from "../../../../engine/simulation/SimulationArguments.ts"

/** What a link opens: a scenario, at one of its steps or else at its end. */
export interface Linked {
  readonly spec: ScenarioSpec
  readonly step: number | undefined
}

const STEP = "step"

const OPTION = /--([a-z-]+)(?: ((?!--)\S+))?/g

/** The options of a scenario's command, and a step, as what stands behind the `#` of an address. */
export const linkOf = ({ spec, step }: Linked): string => {
  const options = [...commandOf(spec).matchAll(OPTION)].map(([, name = "", value]) =>
    value === undefined ? name : `${name}=${value}`
  )
  return [...options, ...(step === undefined ? [] : [`${STEP}=${step}`])].join("&")
}

/** What a page can show, and play in some seconds. */
const MAX_ORDERS = 500
const MAX_TRADERS = 500
const MAX_BOTS = 100

const decoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** Reads what stands behind the `#` of an address; a string says what is wrong with it. */
export const readLink = (text: string): Linked | string => {
  const options = text.split("&").filter((option) => option !== "")
  const step = options.find((option) => option.startsWith(`${STEP}=`))?.slice(STEP.length + 1)
  if (step !== undefined && !/^\d{1,10}$/.test(step)) return "step is a number"
  const others = options.filter((option) => !option.startsWith(`${STEP}=`))
  const texts = others.map(decoded)
  if (texts.includes(undefined)) return "the link is damaged"
  const read = readArguments(texts.map((option) => `--${option}`))
  if (typeof read === "string") return read
  const { json, report, spec, sweep } = read
  if ("nodes" in spec || json || report !== undefined || sweep !== undefined) {
    return "this page plays one seed of the arena: run the command for anything else"
  }
  if (spec.with !== undefined) return "a module of your own runs with the command alone"
  if (spec.world !== undefined) return "a world of a production's export runs with the command alone"
  if (spec.orders > MAX_ORDERS || spec.traders > MAX_TRADERS || (spec.bots ?? 0) > MAX_BOTS) {
    return `this page plays at most ${MAX_ORDERS} orders, ${MAX_TRADERS} traders and ${MAX_BOTS} bots: run the command for more`
  }
  return { spec, step: step === undefined ? undefined : Number(step) }
}
