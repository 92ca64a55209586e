import { describe, expect, it } from "bun:test"
import type { CompanyEvent } from "../../../engine/company/CompanyEvent.ts"
import { companyMessages, COMPANY_TYPES } from "../../../engine/webhooks/CompanyMessages.ts"
import { EXAMPLE_EVENTS } from "../../../engine/webhooks/ExampleEvents.ts"
import { outlineOf, messagesOf, wrongWith } from "../../lib/RenderedMessages.ts"

const ID = "cmp_example0managed00000000000"

const [created] = EXAMPLE_EVENTS["company.created"].events as ReadonlyArray<CompanyEvent>
const [verified] = EXAMPLE_EVENTS["company.verified"].events as ReadonlyArray<CompanyEvent>
const [planned] = EXAMPLE_EVENTS["company.updated"].events as ReadonlyArray<CompanyEvent>

const tell = (event: CompanyEvent | undefined) => {
  if (event === undefined) throw new Error("there is no example")
  const messages = messagesOf(event)
  expect(wrongWith(event, messages)).toEqual([])
  return messages
}

describe("What is told of a company's event", () => {
  it("goes to the company, without reading anything else", () => {
    expect(outlineOf(tell(created))).toEqual([`company.created to ${ID}`])
    expect(outlineOf(tell(planned))).toEqual([`company.updated to ${ID}`])
    expect(outlineOf(tell(verified))).toEqual([`company.verified to ${ID}`, `company.updated to ${ID}`])
  })

  it("says the company as the event left it", () => {
    expect(tell(created)[0]?.object()).toMatchObject({ status: "pending", plan: "standard", verified_at: null })
    expect(tell(planned)[0]?.object()).toMatchObject({ status: "pending", plan: "pro" })
    expect(tell(verified)[0]?.object()).toMatchObject({
      status: "verified",
      verified_at: "2026-02-01T12:00:00.000Z"
    })
  })

  it("is the same of one that registered, which nobody manages", () => {
    if (created?._tag !== "CompanyCreated") throw new Error("there is no example")
    const { managedBy: _, ...rest } = created
    const [told] = tell({ ...rest, _tag: "CompanyRegistered" })
    expect([told?.type, told?.object()]).toMatchObject(["company.created", { id: ID, managed_by: null }])
  })

  it("is nothing where an event does not say what the company was", () => {
    if (verified?._tag !== "CompanyVerified") throw new Error("there is no example")
    const { company: _, ...rest } = verified
    expect(companyMessages(rest)).toEqual({ _tag: "Drafted", drafts: [] })
    expect(COMPANY_TYPES.CompanyVerified).toEqual(["company.verified", "company.updated"])
  })
})
