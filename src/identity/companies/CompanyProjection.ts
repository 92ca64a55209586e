import { Effect, Schema } from "effect"
import type { Recorded } from "../../../engine/actor/Journal.ts"
import type { CompanyCreated, CompanyEvent, CompanyProfile } from "../../../engine/company/CompanyEvent.ts"
import type { PlatformEvent } from "../../../engine/replay/PlatformEvent.ts"
import { CompanyAnswer } from "../../api/Companies.ts"
import { type ContextProjection, each, only, type StoredAnswer } from "../../database/Projection.ts"
import { type AuditFacts, AuditLogRepository, type RecordedAuditEntry } from "../audit/AuditLogRepository.ts"
import { type Company, companyAnswer } from "./Company.ts"
import { CompanyRepository } from "./CompanyRepository.ts"

const encode = Schema.encodeSync(Schema.fromJsonString(CompanyAnswer))

/** A company as it was made. */
export const madeBy = ({ at, companyId, managedBy, profile }: CompanyCreated): Company => ({
  id: companyId,
  name: profile.name,
  plan: "standard",
  managedBy: managedBy ?? undefined,
  taxId: profile.taxId ?? undefined,
  email: profile.email ?? undefined,
  phone: profile.phone ?? undefined,
  country: profile.country ?? undefined,
  address: profile.address ?? undefined,
  createdAt: at,
  verifiedAt: undefined,
  botsWithdrawn: false
})

const created = ({ event }: Recorded<CompanyCreated>): StoredAnswer => ({
  status: 200,
  body: encode(companyAnswer(madeBy(event)))
})

/** The fields of a profile that another one has not, as the audit log takes them. */
const factsBeyond = (one: CompanyProfile, other: CompanyProfile): AuditFacts => {
  const text = (profile: CompanyProfile): AuditFacts => ({
    name: profile.name,
    tax_id: profile.taxId,
    email: profile.email,
    phone: profile.phone,
    country: profile.country,
    address: profile.address === null ? null : JSON.stringify(profile.address)
  })
  const known = text(other)
  return Object.fromEntries(Object.entries(text(one)).filter(([field, value]) => known[field] !== value))
}

/** Whoever signs up does nothing as an administrator. */
type AdministeredEvent = Exclude<CompanyEvent, { readonly _tag: "CompanyRegistered" }>

type Facts = Pick<RecordedAuditEntry, "act" | "before" | "after">

const factsOf = (event: AdministeredEvent): Facts => {
  switch (event._tag) {
    case "CompanyCreated":
      return { act: "company.create", before: undefined, after: { name: event.profile.name } }
    case "CompanyUpdated": {
      const { after, before } = event
      return { act: "company.update", before: factsBeyond(before, after), after: factsBeyond(after, before) }
    }
    case "CompanyPlanSet":
      return { act: "company.set_plan", before: { plan: event.before }, after: { plan: event.after } }
    case "CompanyEntitlementSet": {
      const { after, entitlement } = event
      return { act: "company.set_entitlement", before: { [entitlement]: !after }, after: { [entitlement]: after } }
    }
    case "CompanyVerified":
      return { act: "company.verify", before: { status: "pending" }, after: { status: "verified" } }
  }
}

const entryOf = ({ event, seq }: Recorded<AdministeredEvent>): RecordedAuditEntry => ({
  seq,
  at: event.at,
  actorId: event.by.userId,
  subjectId: event.companyId,
  requestId: event.by.requestId ?? undefined,
  ...factsOf(event)
})

const administered = (events: ReadonlyArray<Recorded<PlatformEvent>>): ReadonlyArray<RecordedAuditEntry> =>
  [
    ...only(events, "CompanyCreated"),
    ...only(events, "CompanyUpdated"),
    ...only(events, "CompanyPlanSet"),
    ...only(events, "CompanyEntitlementSet"),
    ...only(events, "CompanyVerified")
  ]
    .filter(({ event }) => event.by.administers)
    .toSorted((one, other) => one.seq - other.seq)
    .map(entryOf)

/** Writes companies, and what administrators did to them in the audit log, within the transaction of the events. */
export const companyProjection = Effect.gen(function* () {
  const companies = yield* CompanyRepository
  const audit = yield* AuditLogRepository
  return {
    write: (events) => [
      ...each(events, "CompanyCreated", companies.created),
      ...each(events, "CompanyUpdated", companies.updated),
      ...each(events, "CompanyPlanSet", companies.planSet),
      ...each(events, "CompanyEntitlementSet", companies.entitlementSet),
      ...each(events, "CompanyVerified", companies.verified),
      ...audit.adding(administered(events))
    ],
    answers: { CompanyCreated: created }
  } satisfies ContextProjection
})
