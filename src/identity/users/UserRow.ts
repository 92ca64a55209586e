import type { CompanyPlan } from "../../../engine/company/CompanyEvent.ts"
import * as GrantedScope from "../tokens/Scope.ts"
import type { CompanyKind, Owner, PostalAddress, Profile, Role, User, UserStatus } from "./User.ts"

/** A row of users joined with its company, as {@link UserRepository} selects it. */
export interface UserRow {
  readonly id: string
  readonly company_id: string
  readonly company_name: string
  readonly tax_id: string | null
  readonly role: Role
  readonly status: UserStatus
  readonly email: string | null
  readonly contact_name: string | null
  readonly phone: string | null
  readonly address: PostalAddress | null
  readonly wallet_address: string | null
  readonly ecommerce_company_id: string | null
  readonly email_verified_at: bigint | null
  readonly profile: Profile | null
  readonly scopes: ReadonlyArray<string> | null
  readonly created_at: bigint
  readonly token_epoch: number
  readonly password_hash: string | null
}

export interface OwnerRow {
  readonly id: string
  readonly person_id: string
  readonly company_id: string
  readonly kind: CompanyKind
  readonly plan: CompanyPlan
  readonly machine_trader_withdrawn: boolean
  readonly role: Role
  readonly status: UserStatus
  readonly wallet_address: string | null
  readonly scopes: ReadonlyArray<string> | null
  readonly token_epoch: number
}

export const toUser = (row: UserRow): User => ({
  id: row.id,
  companyId: row.company_id,
  companyName: row.company_name,
  taxId: row.tax_id ?? undefined,
  role: row.role,
  status: row.status,
  email: row.email ?? undefined,
  contactName: row.contact_name ?? undefined,
  phone: row.phone ?? undefined,
  address: row.address ?? undefined,
  walletAddress: row.wallet_address ?? undefined,
  ecommerceCompanyId: row.ecommerce_company_id ?? undefined,
  isEmailVerified: row.email_verified_at !== null,
  profile: row.profile ?? {},
  scopes: row.scopes === null ? undefined : GrantedScope.known(row.scopes),
  createdAt: Number(row.created_at),
  tokenEpoch: row.token_epoch
})

export const toOwner = (row: OwnerRow): Owner => ({
  userId: row.id,
  personId: row.person_id,
  companyId: row.company_id,
  companyKind: row.kind,
  plan: row.plan,
  botsWithdrawn: row.machine_trader_withdrawn,
  role: row.role,
  status: row.status,
  walletAddress: row.wallet_address ?? undefined,
  scopes: row.scopes === null ? undefined : GrantedScope.known(row.scopes),
  tokenEpoch: row.token_epoch
})
