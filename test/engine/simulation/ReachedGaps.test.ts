import { describe, expect, it } from "bun:test"
import { FAULT_KINDS } from "../../../engine/simulation/FaultPlan.ts"
import { REFUSALS } from "../../../engine/simulation/platform/RefusalCatalogue.ts"
import {
  COMPANY_EVENTS,
  gapsOf,
  namesOf,
  UNPAIRED_FAULTS,
  UNREACHABLE_REFUSALS
} from "../../../engine/simulation/ReachedGaps.ts"

const once = (names: ReadonlyArray<string>) => Object.fromEntries(names.map((name) => [name, 1]))

describe("gapsOf", () => {
  const all = {
    events: once(COMPANY_EVENTS),
    struckBefore: Object.fromEntries(FAULT_KINDS.map((kind) => [kind, once(COMPANY_EVENTS)])),
    companyResponses: once(REFUSALS)
  }

  it("has none where everything was reached", () => {
    expect(namesOf(gapsOf(all))).toEqual([])
  })

  it("names what is missing: an event, a refusal, a fault before an event", () => {
    const { PaymentVoided: _, ...events } = all.events
    expect(gapsOf({ ...all, events }).events).toEqual(["PaymentVoided"])
    expect(gapsOf({ ...all, companyResponses: {} }).refusals).toContain("transfers/QuoteGone")
    const struckBefore = { ...all.struckBefore, restart: once(COMPANY_EVENTS.slice(1)) }
    expect(gapsOf({ ...all, struckBefore }).pairs).toEqual([`restart before ${COMPANY_EVENTS[0]}`])
  })

  it("leaves out what there is alone", () => {
    expect(REFUSALS).toEqual(expect.arrayContaining(Object.keys(UNREACHABLE_REFUSALS)))
    expect(FAULT_KINDS).toEqual(expect.arrayContaining(Object.keys(UNPAIRED_FAULTS) as (typeof FAULT_KINDS)[number][]))
  })
})
