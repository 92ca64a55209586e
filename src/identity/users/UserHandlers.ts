import { Effect } from "effect"
import { Api } from "../../api/Api.ts"
import { Person } from "../../api/Users.ts"
import { pageOf } from "../../api/Paging.ts"
import * as HandlerGroup from "../../http/HandlerGroup.ts"
import * as ListResponse from "../../http/ListResponse.ts"
import * as ActingUser from "./ActingUser.ts"
import { CompanyUsers } from "../companies/CompanyUsers.ts"
import { EmailVerification } from "../accounts/EmailVerification.ts"
import { personResponse } from "./PersonResponse.ts"
import type { IdempotencyRepository } from "../../http/IdempotencyRepository.ts"
import { keepWithin } from "../../http/KeptResponse.ts"
import type { Profile, User } from "./User.ts"

/** Only the fields that were given. */
const profileOf = (given: { readonly [K in keyof Profile]: Profile[K] }): Profile => {
  const { accountname, appsprofile, firstname, language, lastname, profileurl } = given
  const fields = Object.entries({ firstname, lastname, accountname, language, profileurl, appsprofile })
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined))
}

/** The users group's handlers. */
export const layer = HandlerGroup.group(
  Api,
  "users",
  Effect.fnUntraced(function* (handlers) {
    const people = yield* CompanyUsers
    const verification = yield* EmailVerification
    const kept = yield* Effect.context<IdempotencyRepository>()
    return handlers.handleAll({
      addUser: Effect.fnUntraced(function* ({ payload, query }) {
        const { address, cellphone, country, email, firstname, lastname, password } = payload
        const person = {
          email,
          password,
          contactName: `${firstname} ${lastname}`,
          phone: cellphone,
          address: { street: address, country },
          profile: profileOf(payload)
        }
        const keep = yield* Effect.provideContext(keepWithin(Person), kept)
        const within = (user: User) => keep(personResponse(user))
        const user = yield* people.add(yield* ActingUser.current, person, query.company_id, within)
        yield* verification.send(user)
        return personResponse(user)
      }),
      listUsers: Effect.fnUntraced(function* ({ query }) {
        const filter = { companyId: query.company_id, status: query.status }
        const { users, ...page } = yield* people.list(yield* ActingUser.current, filter, pageOf(query))
        return yield* ListResponse.of(users.map(personResponse), page)
      }),
      getUser: ({ params }) =>
        Effect.flatMap(ActingUser.current, (by) => people.find(by, params.userId)).pipe(Effect.map(personResponse))
    })
  })
)
