import { Layer } from "effect"
import * as AccountHandlers from "./AccountHandlers.ts"
import * as ClientHandlers from "../clients/ClientHandlers.ts"
import * as UserAdministrationHandlers from "../users/UserAdministrationHandlers.ts"
import * as UserHandlers from "../users/UserHandlers.ts"

/** The handlers of what is done to accounts: one's own, the company's, and by administrators. */
export const accountHandlers = Layer.mergeAll(
  AccountHandlers.account,
  AccountHandlers.recovery,
  ClientHandlers.layer,
  UserHandlers.layer,
  UserAdministrationHandlers.users,
  UserAdministrationHandlers.audit
)
