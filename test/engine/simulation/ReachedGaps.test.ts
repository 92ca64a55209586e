import { describe, expect, it } from "bun:test"
import { causesWith } from "../../../engine/simulation/EventCauses.ts"
import { FAULT_KINDS } from "../../../engine/simulation/FaultPlan.ts"
import { REFUSALS, TAGGED_REFUSALS } from "../../../engine/simulation/platform/RefusalCatalogue.ts"
import {
  gapsOf,
  namesOf,
  refusalCounts,
  UNREACHABLE_CAUSES,
  UNREACHABLE_REFUSALS
} from "../../../engine/simulation/ReachedGaps.ts"
import { REACHABLE_EVENTS } from "../../../engine/simulation/ReachableEvents.ts"

const once = (names: Iterable<string>) => Object.fromEntries(Array.from(names, (name) => [name, 1]))

const tagsOf = (isMeant: (name: string) => boolean) =>
  [...TAGGED_REFUSALS].flatMap(([tag, name]) => (isMeant(name) ? [tag] : []))

const all = {
  events: once(REACHABLE_EVENTS),
  causes: once(causesWith(REACHABLE_EVENTS).filter((name) => !(name in UNREACHABLE_CAUSES))),
  struckBefore: Object.fromEntries(FAULT_KINDS.map((kind) => [kind, once(REACHABLE_EVENTS)])),
  answers: once(tagsOf((name) => name.startsWith("arena/"))),
  botResponses: once(tagsOf((name) => !name.startsWith("arena/"))),
  companyResponses: once(REFUSALS.filter((name) => ![...TAGGED_REFUSALS.values()].includes(name)))
}

describe("gapsOf", () => {
  it("has none where everything was reached", () => {
    expect(namesOf(gapsOf(all))).toEqual([])
  })

  it("names what is missing: an event, a refusal, a fault before an event", () => {
    const { PaymentVoided: _voided, CommitmentHaltSet: _set, ...events } = all.events
    expect(gapsOf({ ...all, events }).events).toEqual(["CommitmentHaltSet", "PaymentVoided"])
    expect(gapsOf({ ...all, companyResponses: {} }).refusals).toContain("transfers/QuoteGone")
    expect(gapsOf({ ...all, botResponses: {} }).refusals).toContain("bots/ModuleDecides")
    const { OrderFull: _full, ...answers } = all.answers
    expect(gapsOf({ ...all, answers }).refusals).toEqual(["arena/OrderFull"])
    const { "webhooks/WebhookGone": _gone, ...companyResponses } = all.companyResponses
    expect(gapsOf({ ...all, companyResponses }).refusals).toEqual(["webhooks/WebhookGone"])
    const { "CommitmentHaltSet by restarted": _restarted, ...causes } = all.causes
    expect(namesOf(gapsOf({ ...all, causes }))).toEqual(["CommitmentHaltSet by restarted"])
    const struckBefore = { ...all.struckBefore, close_vault: once(REACHABLE_EVENTS.slice(1)) }
    expect(gapsOf({ ...all, struckBefore }).pairs).toEqual([`close_vault before ${REACHABLE_EVENTS[0]}`])
  })

  it("names what came although it is said never to", () => {
    const gaps = gapsOf({ ...all, events: { ...all.events, CompanyCreated: 1 } })
    expect(gaps.surprises).toEqual(["CompanyCreated"])
    expect(namesOf(gaps)).toEqual(["CompanyCreated (which came, and is said never to)"])
    for (const name of Object.keys(UNREACHABLE_CAUSES)) {
      expect(gapsOf({ ...all, causes: { ...all.causes, [name]: 1 } }).surprises).toEqual([name])
    }
  })

  it("asks nothing of bots and companies that are not there", () => {
    const none = { events: {}, causes: {}, botResponses: {}, companyResponses: {} }
    const ofArena = gapsOf({ ...all, ...none }, { bots: 0, companies: 0 })
    expect(ofArena.causes).toContain("CommitmentHaltSet by restarted")
    expect(ofArena.causes).not.toContain("BotSuspended by loss_limit")
    expect(ofArena.events).toContain("OrderOpened")
    expect(ofArena.events).not.toContain("BotCreated")
    expect(ofArena.refusals).toEqual([])
  })

  it("counts a refusal of the arena for whoever is told it, and none of another context", () => {
    const { botResponses } = all
    const counts = refusalCounts({
      answers: { OrderFull: 2 },
      botResponses: { ...botResponses, OrderFull: 3 },
      companyResponses: { OrderFull: 7 }
    })
    expect([counts["arena/OrderFull"], counts["bots/BotOver"], counts["transfers/NoRate"]]).toEqual([5, 1, 0])
  })

  it("leaves out what there is alone", () => {
    expect(REFUSALS).toEqual(expect.arrayContaining(Object.keys(UNREACHABLE_REFUSALS)))
  })
})
