import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { EmailVerification } from "../../../../src/identity/accounts/EmailVerification.ts"
import { Users } from "../../../../src/identity/users/Users.ts"
import { withLayer } from "../../../lib/Effects.ts"
import { tokenIn } from "../../../lib/Mailbox.ts"
import { layerOf, mailbox, registration } from "../../../lib/TestIdentity.ts"

const it = withLayer(layerOf())

const registered = Effect.flatMap(Users, ({ register }) => register(registration()))

describe("Email verification", () => {
  it("believes the token of the newest mail or of an older one, once", () =>
    Effect.gen(function* () {
      const { confirm, send } = yield* EmailVerification
      const { find } = yield* Users
      const user = yield* registered
      yield* send(user)
      yield* send(user)
      const older = tokenIn(yield* mailbox.next(user.email ?? ""))
      const newest = tokenIn(yield* mailbox.next(user.email ?? ""))
      expect((yield* find(user.id)).isEmailVerified).toBe(false)
      yield* confirm(older)
      const verified = yield* find(user.id)
      expect(verified.isEmailVerified).toBe(true)
      for (const token of [older, newest, "mt_unknown"]) {
        expect(yield* Effect.flip(confirm(token))).toMatchObject({ _tag: "InvalidMailToken" })
      }
      yield* send(verified)
      yield* send({ ...user, email: undefined })
      expect(mailbox.unread(user.email ?? "")).toBe(0)
    }))
})
