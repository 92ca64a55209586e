import { Clock, Context, Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto/SecureRandom"
import type { Unavailable } from "../../database/DatabaseError.ts"
import { AccountRepository } from "../accounts/AccountRepository.ts"
import { CompanyOutboxRepository } from "../companies/CompanyOutboxRepository.ts"
import * as Identifier from "../../Identifier.ts"
import { LoginAttempts } from "../sessions/LoginAttempts.ts"
import type { TooManyAttempts } from "../sessions/LoginAttempts.ts"
import { Owners } from "./Owners.ts"
import { Passwords } from "../sessions/Passwords.ts"
import { PersonalText } from "../secrets/PersonalText.ts"
import type { PasswordsBusy } from "../sessions/HashingTurns.ts"
import { RefreshTokens } from "../tokens/RefreshTokens.ts"
import { Sessions } from "../sessions/Sessions.ts"
import type { PostalAddress, PostalAddressChange, Role, User, UserStatus } from "./User.ts"
import { EmailTaken, UserNotFound, UserSuspended, WalletTaken, WrongCredentials } from "./UserError.ts"
import { UserRepository } from "./UserRepository.ts"
import * as WalletAddress from "./WalletAddress.ts"
import type { InvalidWalletAddress } from "./WalletAddress.ts"

/** A person who registers a company. Specification 2.3. */
export interface Registration {
  readonly email: string
  readonly password: Redacted.Redacted
  readonly companyName: string
  readonly contactName?: string | undefined
  readonly phone?: string | undefined
  readonly taxId?: string | undefined
  readonly address?: PostalAddress | undefined
  /** Default buyer. */
  readonly role?: Role | undefined
  /** Default pending_kyc. */
  readonly status?: UserStatus | undefined
  /** The company is found again by it. */
  readonly label?: string | undefined
}

/** A company of the platform itself, whose user has no password. */
export interface House {
  readonly companyName: string
  /** Unique: the same label answers the same company and user. */
  readonly label: string
  readonly kind: "house" | "maker"
  readonly walletAddress?: string | undefined
}

/** Undefined leaves a field as it is. */
export interface Profile {
  readonly phone?: string | undefined
  readonly address?: PostalAddressChange | undefined
  readonly walletAddress?: string | undefined
}

const found = (userId: string) => (user: User | undefined) =>
  user === undefined ? Effect.fail(new UserNotFound({ userId })) : Effect.succeed(user)

/** What is done in the transaction that made a user: fails to undo it. */
export type WithUser = (user: User) => Effect.Effect<void, Unavailable>

const register = Effect.fnUntraced(function* (registration: Registration, within: WithUser) {
  const passwords = yield* Passwords
  const repository = yield* UserRepository
  const outbox = yield* CompanyOutboxRepository
  const { role, status, companyName, label, taxId, password, ...person } = registration
  const passwordHash = yield* passwords.hash(password)
  const createdAt = yield* Clock.currentTimeMillis
  const id = yield* Identifier.make("usr")
  const companyId = yield* Identifier.make("cmp")
  const { seal } = yield* PersonalText
  const company = {
    id: companyId,
    name: companyName,
    kind: "normal" as const,
    label,
    taxId: taxId === undefined ? undefined : yield* seal(companyId, taxId),
    createdAt
  }
  const user = { ...person, id, passwordHash, role: role ?? "buyer", status: status ?? "pending_kyc", createdAt }
  return yield* repository.addCompany(company).pipe(
    Effect.tap((companyId) => repository.addUser({ ...user, companyId })),
    Effect.tap((companyId) => (companyId === company.id ? outbox.registered(companyId, id, createdAt) : Effect.void)),
    Effect.andThen(Effect.flatMap(repository.find(id), found(id))),
    Effect.tap(within),
    repository.transaction,
    Effect.catchTags({ WalletTaken: Effect.die, UserNotFound: Effect.die })
  )
})

const HOUSE_ROLE = "buyer"

const addHouse = Effect.fnUntraced(function* (house: House, walletAddress: string | undefined) {
  const repository = yield* UserRepository
  const createdAt = yield* Clock.currentTimeMillis
  const { companyName: name, label, kind } = house
  const id = yield* Identifier.make("cmp")
  const companyId = yield* repository.addCompany({ id, name, kind, label, taxId: undefined, createdAt })
  const existing = yield* repository.findFirstOf(companyId, HOUSE_ROLE)
  if (existing !== undefined) return existing
  const user = { id: yield* Identifier.make("usr"), companyId, role: HOUSE_ROLE, status: "active", createdAt } as const
  yield* Effect.catchTag(repository.addUser({ ...user, walletAddress }), "EmailTaken", Effect.die)
  return yield* Effect.flatMap(repository.find(user.id), found(user.id)).pipe(
    Effect.catchTag("UserNotFound", Effect.die)
  )
})

/** Each start asks for its houses: one that is there costs no transaction. */
const createHouse = Effect.fnUntraced(function* (house: House) {
  const repository = yield* UserRepository
  const wallet = house.walletAddress === undefined ? undefined : WalletAddress.parse(house.walletAddress)
  const address = wallet === undefined ? undefined : yield* Effect.fromResult(wallet)
  const existing = yield* repository.findFirstOfLabel(house.label, HOUSE_ROLE)
  return existing ?? (yield* repository.transaction(addHouse(house, address)))
})

const authenticate = Effect.fnUntraced(function* (email: string, password: Redacted.Redacted) {
  const passwords = yield* Passwords
  const repository = yield* UserRepository
  const credentials = yield* repository.credentials(email)
  const hash = credentials?.passwordHash
  const matches = yield* passwords.verify(hash === undefined ? undefined : Redacted.value(hash), password)
  return matches ? credentials?.user : undefined
})

/** The label of the company that stands for a wallet until somebody links it. */
export const placeholderOf = (walletAddress: string): string => `wallet-${walletAddress}`

/** What another context does when a user takes a wallet from its placeholder. */
export interface WalletHeir {
  /** Gives the user what the placeholder has, within the transaction. */
  readonly move: (
    from: string,
    to: { readonly userId: string; readonly companyId: string }
  ) => Effect.Effect<void, Unavailable>
  /** Once it is durable. */
  readonly moved: (from: string) => Effect.Effect<void>
}

/** What a login can be refused for. */
export type LoginError = WrongCredentials | UserSuspended | TooManyAttempts | PasswordsBusy | Unavailable

const make = Effect.gen(function* () {
  const accounts = yield* AccountRepository
  const repository = yield* UserRepository
  const owners = yield* Owners
  const attempts = yield* LoginAttempts
  const refreshTokens = yield* RefreshTokens
  const sessions = yield* Sessions
  const passwords = yield* Passwords
  const context = yield* Effect.context<
    CompanyOutboxRepository | PersonalText | UserRepository | Passwords | SecureRandom
  >()
  const heirs = new Set<WalletHeir>()
  const find = (id: string) => Effect.flatMap(repository.find(id), found(id))
  const endSignIns = (id: string) => Effect.andThen(refreshTokens.revokeUser(id), sessions.endAll(id))

  /** Takes a wallet from its placeholder, and hands over what that has in other contexts. */
  const taken = Effect.fnUntraced(function* (walletAddress: string, to: string) {
    const from = yield* repository.releaseWallet(walletAddress, placeholderOf(walletAddress))
    if (from === undefined) return
    const { companyId } = yield* find(to)
    for (const { move, moved } of heirs) {
      yield* move(from, { userId: to, companyId })
      yield* repository.afterCommit(moved(from))
    }
    yield* repository.afterCommit(owners.forget(from))
  })

  /** Makes the change, ends the sign-ins if asked to, and has everybody read the user again once it is durable. */
  const changing = <E>(id: string, change: Effect.Effect<void, E>, endsSignIns: boolean) =>
    change.pipe(
      Effect.andThen(endsSignIns ? endSignIns(id) : Effect.void),
      Effect.andThen(repository.afterCommit(owners.forget(id))),
      repository.transaction
    )

  return Users.of({
    register: Effect.fn("Users.register")((registration, within = () => Effect.void) =>
      Effect.provideContext(register(registration, within), context)
    ),
    createHouse: Effect.fn("Users.createHouse")((house) => Effect.provideContext(createHouse(house), context)),
    login: Effect.fn("Users.login")(function* (email, password, address) {
      const attempt = Effect.provideContext(authenticate(email, password), context)
      const user = yield* attempts.attempt(email, address, attempt)
      if (user === undefined) return yield* new WrongCredentials()
      return user.status === "suspended" ? yield* new UserSuspended({ userId: user.id }) : user
    }),
    find,
    findByEmail: (email) => Effect.map(repository.credentials(email), (credentials) => credentials?.user),
    findByWallet: (address) => repository.findByWallet(address),
    update: Effect.fn("Users.update")(function* (id, profile) {
      const { walletAddress: given, ...rest } = profile
      const walletAddress = given === undefined ? undefined : yield* Effect.fromResult(WalletAddress.parse(given))
      const change = Effect.catchTag(repository.change(id, { ...rest, walletAddress }), "EmailTaken", Effect.die)
      const claim = walletAddress === undefined ? Effect.void : taken(walletAddress, id)
      yield* changing(id, Effect.andThen(claim, change), false)
      return yield* find(id)
    }),
    onWalletTaken: (heir) => Effect.sync(() => void heirs.add(heir)),
    setStatus: Effect.fn("Users.setStatus")((id, status) =>
      changing(id, repository.setStatus(id, status), status === "suspended")
    ),
    setRole: Effect.fn("Users.setRole")((id, role) => changing(id, repository.setRole(id, role), true)),
    logoutEverywhere: Effect.fn("Users.logoutEverywhere")((id) => changing(id, accounts.withdrawTokens(id), true)),
    setPassword: Effect.fn("Users.setPassword")(function* (id, password) {
      yield* changing(id, repository.setPassword(id, yield* passwords.hash(password)), true)
    })
  })
})

/** Companies' users: registration, login, profile and status. Specification 2.3, 4.1. */
export class Users extends Context.Service<
  Users,
  {
    /** Makes a company and its first user, both or neither. */
    readonly register: (
      registration: Registration,
      within?: WithUser
    ) => Effect.Effect<User, EmailTaken | PasswordsBusy | Unavailable>
    /** Makes a company and its user, or answers those that have the label. */
    readonly createHouse: (house: House) => Effect.Effect<User, InvalidWalletAddress | WalletTaken | Unavailable>
    /** The user with this email and password. `address` is where the attempt comes from. */
    readonly login: (email: string, password: Redacted.Redacted, address: string) => Effect.Effect<User, LoginError>
    readonly find: (id: string) => Effect.Effect<User, UserNotFound | Unavailable>
    /** In any case of its letters. */
    readonly findByEmail: (email: string) => Effect.Effect<User | undefined, Unavailable>
    /** In any case of its letters. */
    readonly findByWallet: (address: string) => Effect.Effect<User | undefined, Unavailable>
    /** Is run when a user takes a wallet from its placeholder. */
    readonly onWalletTaken: (heir: WalletHeir) => Effect.Effect<void>
    /** A wallet of nobody but its placeholder brings what that has. */
    readonly update: (
      id: string,
      profile: Profile
    ) => Effect.Effect<User, InvalidWalletAddress | WalletTaken | UserNotFound | Unavailable>
    /** Suspension ends the user's sign-ins. */
    readonly setStatus: (id: string, status: UserStatus) => Effect.Effect<void, Unavailable>
    /** Withdraws every token and session of the user. */
    readonly logoutEverywhere: (id: string) => Effect.Effect<void, Unavailable>
    /** Withdraws every token and session of the user. */
    readonly setRole: (id: string, role: Role) => Effect.Effect<void, Unavailable>
    /** Withdraws every token and session of the user. */
    readonly setPassword: (id: string, password: Redacted.Redacted) => Effect.Effect<void, PasswordsBusy | Unavailable>
  }
>()("emporion/identity/Users") {
  static readonly layer: Layer.Layer<
    Users,
    never,
    | AccountRepository
    | CompanyOutboxRepository
    | UserRepository
    | Owners
    | PersonalText
    | LoginAttempts
    | RefreshTokens
    | Sessions
    | Passwords
    | SecureRandom
  > = Layer.effect(this, make)
}
