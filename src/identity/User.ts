/** What a user may do. `service` is an API client's own principal; `buyer` and `seller` may do the same. */
export type Role = "admin" | "buyer" | "seller" | "service"

/** Where a user stands with the platform. Money leaves only when `active`. */
export type UserStatus = "pending_kyc" | "active" | "suspended" | "rejected"

export type Plan = "standard" | "pro" | "enterprise"

/** `house` companies keep the sandbox's arena alive, the `maker` is the other side of every order. */
export type CompanyKind = "normal" | "house" | "maker"

/** A postal address, as in Specification 2.3. */
export interface PostalAddress {
  readonly street?: string
  readonly city?: string
  readonly state?: string
  readonly postal_code?: string
  readonly country?: string
}

/** A user and its company's name. Times are milliseconds since 1970. */
export interface User {
  readonly id: string
  readonly companyId: string
  readonly companyName: string
  readonly role: Role
  readonly status: UserStatus
  /** Missing for service principals and the house's users. */
  readonly email: string | undefined
  readonly contactName: string | undefined
  readonly phone: string | undefined
  readonly address: PostalAddress | undefined
  /** The EIP-55 form. */
  readonly walletAddress: string | undefined
  readonly ecommerceCompanyId: string | undefined
  readonly createdAt: number
  /** Counts what withdraws all tokens, such as a new password. A sign-in that was decided in an earlier epoch is void. */
  readonly tokenEpoch: number
}

/** What other contexts ask about a user on every request. The owner of everything is the company. */
export interface Owner {
  readonly userId: string
  readonly companyId: string
  readonly companyKind: CompanyKind
  readonly plan: Plan
  readonly role: Role
  readonly status: UserStatus
  readonly walletAddress: string | undefined
  /** Counts role and password changes: access tokens of an earlier epoch are refused. */
  readonly tokenEpoch: number
}
