import type { CompanyPlan } from "../../../engine/company/CompanyEvent.ts"
import type { PostalAddress } from "../users/User.ts"

/** A company. Times are milliseconds since 1970. */
export interface Company {
  readonly id: string
  readonly name: string
  readonly plan: CompanyPlan
  /** The company that made it and manages it. */
  readonly managedBy: string | undefined
  readonly taxId: string | undefined
  readonly email: string | undefined
  readonly phone: string | undefined
  /** Where it is registered. */
  readonly country: string | undefined
  readonly address: PostalAddress | undefined
  readonly createdAt: number
  /** Since when it is verified. */
  readonly verifiedAt: number | undefined
  /** Whether an administrator withdrew the bots that its plan gives. */
  readonly botsWithdrawn: boolean
}
