import type { User } from "./User.ts"

const shown = (user: User) => ({
  id: user.id,
  email: user.email ?? null,
  email_verified: user.isEmailVerified,
  company_name: user.companyName,
  company_id: user.companyId,
  role: user.role,
  status: user.status,
  contact_name: user.contactName ?? null,
  wallet_address: user.walletAddress ?? null,
  created_at: user.createdAt
})

/** A user as it is answered itself. Specification 2.3. */
export const ownRecord = (user: User) => ({
  ...shown(user),
  tax_id: user.taxId ?? null,
  phone: user.phone ?? null,
  address: user.address ?? null,
  ecommerce_company_id: user.ecommerceCompanyId ?? null
})

/** A user as `/v1/users` answers it. Specification 2.4. */
export const personResponse = (user: User) => ({
  ...shown(user),
  cellphone: user.phone ?? null,
  firstname: user.profile.firstname ?? null,
  lastname: user.profile.lastname ?? null,
  country: user.address?.country ?? null,
  address: user.address?.street ?? null,
  accountname: user.profile.accountname ?? null,
  language: user.profile.language ?? null,
  profileurl: user.profile.profileurl ?? null,
  appsprofile: user.profile.appsprofile ?? null
})
