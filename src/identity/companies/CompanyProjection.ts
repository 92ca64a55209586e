import type { Recorded } from "../../../engine/actor/Journal.ts"
import type { CompanyCreated } from "../../../engine/company/CompanyEvent.ts"
import { CompanyAnswer } from "../../../engine/company/CompanyObject.ts"
import { companyRows } from "../../../engine/company/CompanyRows.ts"
import type { ContextProjection } from "../../database/Projection.ts"
import { storedAs } from "../../http/KeptResponse.ts"
import type { Company } from "./Company.ts"
import { companyAnswer } from "./CompanySnapshot.ts"

const stored = storedAs(CompanyAnswer)

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

const created = ({ event }: Recorded<CompanyCreated>) => stored(companyAnswer(madeBy(event)))

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
