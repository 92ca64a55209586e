import type { CompanyEvent, CompanySnapshot } from "../company/CompanyEvent.ts"
import { companyObject } from "../company/CompanyObject.ts"
import { type Drafts, drafted } from "./History.ts"
import type { WebhookEventType } from "./WebhookEventType.ts"

/**
 * A company's status is a part of it, so that its verification updates it too. Its entitlements are not.
 */
export const COMPANY_TYPES: { readonly [T in CompanyEvent["_tag"]]: ReadonlyArray<WebhookEventType> } = {
  CompanyCreated: ["company.created"],
  CompanyRegistered: ["company.created"],
  CompanyUpdated: ["company.updated"],
  CompanyPlanSet: ["company.updated"],
  CompanyEntitlementSet: [],
  CompanyVerified: ["company.verified", "company.updated"]
}

const snapshotOf = (event: CompanyEvent): CompanySnapshot | undefined => {
  switch (event._tag) {
    case "CompanyCreated":
    case "CompanyRegistered": {
      const managedBy = event._tag === "CompanyCreated" ? event.managedBy : null
      return { profile: event.profile, plan: "standard", managedBy, createdAt: event.at, verifiedAt: null }
    }
    default:
      return event.company
  }
}

/** What is told of a company's event, to the company itself. Events that do not say what the company was are not told. */
export const companyMessages = (event: CompanyEvent): Drafts => {
  const { companyId } = event
  const company = snapshotOf(event)
  if (company === undefined) return drafted([])
  const object = () => companyObject(companyId, company)
  return drafted(COMPANY_TYPES[event._tag].map((type) => ({ type, companyId, object })))
}
