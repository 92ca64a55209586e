import { Schema } from "effect"
import type { Recorded } from "../../../engine/actor/Journal.ts"
import type { CompanyCreated } from "../../../engine/company/CompanyEvent.ts"
import { companyRows } from "../../../engine/company/CompanyRows.ts"
import { CompanyAnswer } from "../../api/Companies.ts"
import type { StoredAnswer } from "../../../engine/journal/WritePorts.ts"
import type { ContextProjection } from "../../database/Projection.ts"
import { type Company, companyAnswer } from "./Company.ts"

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

/** The rows of companies, what administrators did to them in the audit log included. */
export const companyProjection: ContextProjection = {
  rows: {
    CompanyCreated: companyRows,
    CompanyUpdated: companyRows,
    CompanyPlanSet: companyRows,
    CompanyEntitlementSet: companyRows,
    CompanyVerified: companyRows
  },
  answers: { CompanyCreated: created }
}
