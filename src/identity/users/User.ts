import type { CompanyAddress, CompanyPlan } from "../../../engine/company/CompanyEvent.ts"
import type { Scope } from "../../api/Authorization.ts"

/** What a user may do. `service` is an API client's own principal; `buyer` and `seller` may do the same. */
export type Role = "admin" | "buyer" | "seller" | "service"

/** Where a user stands with the platform. Money leaves only when `active`. */
export type UserStatus = "pending_kyc" | "active" | "suspended" | "rejected"

/** `house` companies keep the sandbox's arena alive, the `maker` is the other side of every order. */
export type CompanyKind = "normal" | "house" | "maker"

/** A postal address, as in Specification 2.3. */
export type PostalAddress = CompanyAddress

/** Parts of an address that are to be otherwise: the others stay, and null removes one. */
export type PostalAddressChange = { readonly [Part in keyof PostalAddress]?: string | null }

/** What `POST /v1/users` takes beside the rest. Specification 2.4. */
export interface Profile {
  readonly firstname?: string
  readonly lastname?: string
  readonly accountname?: string
  readonly language?: string
  readonly profileurl?: string
  readonly appsprofile?: string
}

/** A user and its company's name. Times are milliseconds since 1970. */
export interface User {
  readonly id: string
  readonly companyId: string
  readonly companyName: string
  /** The company's, as registered. */
  readonly taxId: string | undefined
  readonly role: Role
  /** Of a service principal the status of the person behind it, unless it is suspended itself. */
  readonly status: UserStatus
  /** Missing for service principals and the house's users. */
  readonly email: string | undefined
  /** Whether the user showed that mails to the address arrive. */
  readonly isEmailVerified: boolean
  readonly contactName: string | undefined
  readonly phone: string | undefined
  readonly address: PostalAddress | undefined
  /** The EIP-55 form. */
  readonly walletAddress: string | undefined
  readonly ecommerceCompanyId: string | undefined
  readonly profile: Profile
  /** The most that a sign-in of the user may do. Undefined: everything. */
  readonly scopes: ReadonlyArray<Scope> | undefined
  readonly createdAt: number
  /** Counts what withdraws all tokens, such as a new password. A sign-in that was decided in an earlier epoch is void. */
  readonly tokenEpoch: number
}

/** What other contexts ask about a user on every request. The owner of everything is the company. */
export interface Owner {
  readonly userId: string
  /** The user, or the person behind an API client's principal. */
  readonly personId: string
  readonly companyId: string
  readonly companyKind: CompanyKind
  readonly plan: CompanyPlan
  /** Whether an administrator withdrew the right to have bots that the plan gives. */
  readonly botsWithdrawn: boolean
  readonly role: Role
  readonly status: UserStatus
  readonly walletAddress: string | undefined
  /** The most that a session of the user may do. Undefined: everything. */
  readonly scopes: ReadonlyArray<Scope> | undefined
  /** Counts role and password changes: access tokens of an earlier epoch are refused. */
  readonly tokenEpoch: number
}
