import type { User } from "./User.ts"

/** A user as `/v1/users` answers it. Specification 2.4. */
export const personResponse = (user: User) => ({
  id: user.id,
  email: user.email ?? null,
  email_verified: user.isEmailVerified,
  cellphone: user.phone ?? null,
  firstname: user.profile.firstname ?? null,
  lastname: user.profile.lastname ?? null,
  contact_name: user.contactName ?? null,
  country: user.address?.country ?? null,
  address: user.address?.street ?? null,
  accountname: user.profile.accountname ?? null,
  language: user.profile.language ?? null,
  profileurl: user.profile.profileurl ?? null,
  appsprofile: user.profile.appsprofile ?? null,
  company_id: user.companyId,
  company_name: user.companyName,
  role: user.role,
  status: user.status,
  wallet_address: user.walletAddress ?? null,
  created_at: user.createdAt
})
