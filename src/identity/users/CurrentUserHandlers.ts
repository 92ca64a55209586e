import { Effect } from "effect"
import * as HandlerGroup from "../../http/HandlerGroup.ts"
import { Api } from "../../api/Api.ts"
import { CurrentPrincipal } from "../../api/Authorization.ts"
import { PersonalText } from "../secrets/PersonalText.ts"
import { ownRecord } from "./PersonResponse.ts"
import type { User } from "./User.ts"
import { AccountGone } from "./UserError.ts"
import { Users } from "./Users.ts"

/** The current user group's handlers. */
export const layer = HandlerGroup.group(
  Api,
  "currentUser",
  Effect.fnUntraced(function* (handlers) {
    const users = yield* Users
    const { openValue } = yield* PersonalText
    const shown = (user: User) => openValue(ownRecord(user))
    return handlers.handleAll({
      read: () =>
        Effect.flatMap(CurrentPrincipal, ({ userId }) => users.find(userId)).pipe(
          Effect.flatMap(shown),
          Effect.catchTag("UserNotFound", () => Effect.fail(new AccountGone()))
        ),
      update: ({ payload: { wallet_address, ...rest } }) =>
        Effect.flatMap(CurrentPrincipal, ({ userId }) =>
          users.update(userId, { ...rest, walletAddress: wallet_address })
        ).pipe(
          Effect.flatMap(shown),
          Effect.catchTag("UserNotFound", () => Effect.fail(new AccountGone()))
        )
    })
  })
)
