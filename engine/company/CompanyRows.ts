import type { Recorded } from "../actor/Journal.ts"
import { add, type Columns, ensure, type ProjectedRow, set, type TableRow } from "../journal/TableRow.ts"
import type { CompanyCreated, CompanyEvent, CompanyProfile } from "./CompanyEvent.ts"

/** Whoever signs up makes its company's row itself, and does nothing as an administrator. */
export type CompanyChange = Exclude<CompanyEvent, { readonly _tag: "CompanyRegistered" }>

/** A profile's columns. */
const profileColumns = ({ address, country, email, name, phone, taxId }: CompanyProfile): Columns => ({
  name,
  tax_id: taxId,
  email,
  phone,
  country,
  address: address === null ? null : JSON.stringify(address)
})

const companyRow = ({ at, companyId, managedBy, profile }: CompanyCreated): ProjectedRow => {
  const { address, country, email, name, phone, taxId } = profile
  const text = address === null ? null : JSON.stringify(address)
  return {
    table: "companies",
    values: [companyId, managedBy, name, "standard", taxId, email, phone, country, text, `${at}`, null, "false"]
  }
}

/** What an event after the first leaves in the company's row. */
const changesOf = (event: Exclude<CompanyChange, CompanyCreated>): Columns => {
  switch (event._tag) {
    case "CompanyUpdated":
      return profileColumns(event.after)
    case "CompanyPlanSet":
      return { plan: event.after }
    case "CompanyEntitlementSet":
      return { machine_trader_withdrawn: `${!event.after}` }
    case "CompanyVerified":
      return { verified_at: `${event.at}` }
  }
}

/** A few fields by name. */
type AuditFacts = Readonly<Record<string, string | boolean | null>>

interface Act {
  readonly act: string
  readonly before?: AuditFacts
  readonly after: AuditFacts
}

/** The columns of a profile that another one has not. */
const columnsBeyond = (one: CompanyProfile, other: CompanyProfile): AuditFacts => {
  const known = profileColumns(other)
  return Object.fromEntries(Object.entries(profileColumns(one)).filter(([column, value]) => known[column] !== value))
}

const actOf = (event: CompanyChange): Act => {
  switch (event._tag) {
    case "CompanyCreated":
      return { act: "company.create", after: { name: event.profile.name } }
    case "CompanyUpdated": {
      const { after, before } = event
      return { act: "company.update", before: columnsBeyond(before, after), after: columnsBeyond(after, before) }
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

const auditRow = ({ event, seq }: Recorded<CompanyChange>): ProjectedRow => {
  const { act, after, before } = actOf(event)
  const { at, by, companyId } = event
  const facts = [before === undefined ? null : JSON.stringify(before), JSON.stringify(after)]
  return { table: "audit_log", values: [`${seq}`, `${at}`, by.userId, act, companyId, ...facts, by.requestId] }
}

/** A company after an event, and what an administrator did in the audit log. */
export const companyRows = (recorded: Recorded<CompanyChange>): ReadonlyArray<TableRow> => {
  const { event } = recorded
  return [
    event._tag === "CompanyCreated" ? add(companyRow(event)) : set("companies", event.companyId, changesOf(event)),
    ...(event.by.administers ? [ensure(auditRow(recorded))] : [])
  ]
}
