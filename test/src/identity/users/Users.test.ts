import { describe, expect } from "bun:test"
import { Effect, Layer, Logger, Redacted, References, Result } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { Owners } from "../../../../src/identity/users/Owners.ts"
import { Users } from "../../../../src/identity/users/Users.ts"
import { withLayer } from "../../../lib/Effects.ts"
import { layerOf, registration } from "../../../lib/TestIdentity.ts"

const it = withLayer(layerOf())

const WALLETS = ["0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359"] as const

const tagOf = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), ({ _tag }) => _tag)

describe("Users", () => {
  it("register a company and its first user", () =>
    Effect.gen(function* () {
      const users = yield* Users
      const address = { street: "1 High Street", city: "Ghent", postal_code: "9000", country: "BE" }
      const given = registration({
        companyName: "Acme",
        contactName: "A. Buyer",
        phone: "+32 9",
        taxId: "BE1",
        address
      })
      const user = yield* users.register(given)
      expect(user).toMatchObject({
        email: given.email,
        companyName: "Acme",
        role: "buyer",
        status: "pending_kyc",
        contactName: "A. Buyer",
        phone: "+32 9",
        address,
        walletAddress: undefined
      })
      expect(yield* users.find(user.id)).toEqual(user)
    }))

  it("have one email each, in whatever case and however many register at once", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { register } = yield* Users
      const { email } = registration()
      const all = yield* Effect.all(
        Array.from({ length: 8 }, (_, index) =>
          Effect.result(
            register(registration({ email: index % 2 === 0 ? email : email.toUpperCase(), companyName: "Race" }))
          )
        ),
        { concurrency: "unbounded" }
      )
      expect(all.filter(Result.isSuccess)).toHaveLength(1)
      for (const result of all.filter(Result.isFailure)) expect(result.failure._tag).toBe("EmailTaken")
      const [companies] = yield* sql`SELECT count(*) FROM companies WHERE name = 'Race'`
      expect(companies).toEqual({ count: 1n })
    }))

  it("log in with their password alone, whatever the case of their email", () =>
    Effect.gen(function* () {
      const users = yield* Users
      const given = registration()
      const user = yield* users.register(given)
      expect((yield* users.login(given.email.toUpperCase(), given.password, "1")).id).toBe(user.id)
      expect(yield* tagOf(users.login(given.email, Redacted.make("wrong password"), "1"))).toBe("WrongCredentials")
      expect(yield* tagOf(users.login("nobody@example.com", given.password, "1"))).toBe("WrongCredentials")
    }))

  it("cannot log in while suspended, and are not told so without the password", () =>
    Effect.gen(function* () {
      const users = yield* Users
      const given = registration()
      const { id } = yield* users.register(given)
      yield* users.setStatus(id, "suspended")
      expect(yield* tagOf(users.login(given.email, given.password, "1"))).toBe("UserSuspended")
      expect(yield* tagOf(users.login(given.email, Redacted.make("wrong password"), "1"))).toBe("WrongCredentials")
      yield* users.setStatus(id, "active")
      expect((yield* users.login(given.email, given.password, "1")).status).toBe("active")
    }))

  it("keep what an update does not name", () =>
    Effect.gen(function* () {
      const users = yield* Users
      const { id } = yield* users.register(registration({ phone: "1", address: { city: "Ghent" } }))
      expect(yield* users.update(id, { phone: "2" })).toMatchObject({ phone: "2", address: { city: "Ghent" } })
      expect(yield* users.update(id, { address: { city: "Bruges" } })).toMatchObject({
        phone: "2",
        address: { city: "Bruges" }
      })
    }))

  it("link a wallet that nobody else has, and are found by it", () =>
    Effect.gen(function* () {
      const users = yield* Users
      const owners = yield* Owners
      const [first, second] = yield* Effect.all([users.register(registration()), users.register(registration())])
      expect((yield* owners.ownerOf(first.id)).walletAddress).toBeUndefined()
      const linked = yield* users.update(first.id, { walletAddress: WALLETS[0].toLowerCase() })
      expect(linked.walletAddress).toBe(WALLETS[0])
      expect((yield* owners.ownerOf(first.id)).walletAddress).toBe(WALLETS[0])
      expect((yield* users.findByWallet(WALLETS[0].toLowerCase()))?.id).toBe(first.id)
      expect(yield* users.findByWallet(WALLETS[1])).toBeUndefined()
      expect(yield* tagOf(users.update(second.id, { walletAddress: WALLETS[0] }))).toBe("WalletTaken")
      const wrong = WALLETS[1].replace("B", "b")
      expect(yield* tagOf(users.update(second.id, { walletAddress: wrong }))).toBe("InvalidWalletAddress")
      expect((yield* users.update(first.id, { walletAddress: WALLETS[0] })).walletAddress).toBe(WALLETS[0])
    }))

  it("of the house are made once for a label, without a password", () =>
    Effect.gen(function* () {
      const users = yield* Users
      const owners = yield* Owners
      const house = { companyName: "House Trader 1", label: "house-1", kind: "house" } as const
      const made = yield* Effect.all([users.createHouse(house), users.createHouse(house), users.createHouse(house)], {
        concurrency: "unbounded"
      })
      expect(new Set(made.map(({ id }) => id)).size).toBe(1)
      const [first] = made
      expect(yield* owners.ownerOf(first.id)).toMatchObject({ companyKind: "house", role: "buyer", status: "active" })
      const maker = yield* users.createHouse({ companyName: "Maker", label: "maker", kind: "maker" })
      expect((yield* owners.ownerOf(maker.id)).companyKind).toBe("maker")
      expect(maker.companyId).not.toBe(first.companyId)
    }))

  it("never have a password in a row or in what is shown of them", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const users = yield* Users
      const given = registration({ password: Redacted.make("a very secret password") })
      const { id } = yield* users.register(given)
      const [row] = yield* sql<{ password_hash: string }>`SELECT * FROM users WHERE id = ${id}`
      expect(row?.password_hash).toStartWith("$argon2id$")
      expect(`${Bun.inspect(row)}${Bun.inspect(given)}${JSON.stringify(given)}`).not.toContain("a very secret password")
    }))

  it("never have a password in the log", () =>
    Effect.gen(function* () {
      const lines: Array<string> = []
      const logger = Logger.make(({ message, cause }) => {
        lines.push(Bun.inspect([message, cause], { depth: 8 }))
      })
      const users = yield* Users
      const given = registration({ password: Redacted.make("a very secret password") })
      const used = Effect.gen(function* () {
        yield* users.register(given)
        yield* Effect.exit(users.register(given))
        yield* Effect.exit(users.login("nobody@example.com", given.password, "1"))
        yield* users.login(given.email, given.password, "1")
        yield* Effect.logInfo("Registered", given)
      })
      yield* used.pipe(
        Effect.withSpan("test"),
        Effect.provide(Layer.merge(Logger.layer([logger]), Layer.succeed(References.MinimumLogLevel, "All")))
      )
      expect(lines.join()).toContain("Registered")
      expect(lines.join()).not.toContain("a very secret password")
    }))

  it("that nobody registered are not found", () =>
    Effect.gen(function* () {
      const users = yield* Users
      expect(yield* tagOf(users.find("usr_nobody"))).toBe("UserNotFound")
    }))
})
