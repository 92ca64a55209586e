import { Effect } from "effect"
import * as HandlerGroup from "../../http/HandlerGroup.ts"
import { Api } from "../../api/Api.ts"
import { CurrentPrincipal } from "../../api/Authorization.ts"
import type { User } from "./User.ts"
import { AccountGone } from "./UserError.ts"
import { Users } from "./Users.ts"

const record = (user: User) => ({
  id: user.id,
  email: user.email ?? null,
  email_verified: user.isEmailVerified,
  company_name: user.companyName,
  company_id: user.companyId,
  tax_id: user.taxId ?? null,
  role: user.role,
  status: user.status,
  phone: user.phone ?? null,
  address: user.address ?? null,
  contact_name: user.contactName ?? null,
  wallet_address: user.walletAddress ?? null,
  ecommerce_company_id: user.ecommerceCompanyId ?? null,
  created_at: user.createdAt
})

/** The current user group's handlers. */
export const layer = HandlerGroup.group(
  Api,
  "currentUser",
  Effect.fnUntraced(function* (handlers) {
    const users = yield* Users
    return handlers.handleAll({
      read: () =>
        Effect.flatMap(CurrentPrincipal, ({ userId }) => users.find(userId)).pipe(
          Effect.map(record),
          Effect.catchTag("UserNotFound", () => Effect.fail(new AccountGone()))
        ),
      update: ({ payload: { wallet_address, ...rest } }) =>
        Effect.flatMap(CurrentPrincipal, ({ userId }) =>
          users.update(userId, { ...rest, walletAddress: wallet_address })
        ).pipe(
          Effect.map(record),
          Effect.catchTag("UserNotFound", () => Effect.fail(new AccountGone()))
        )
    })
  })
)
