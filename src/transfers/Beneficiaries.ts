import { Clock, Context, Effect, Layer } from "effect"
import { createHmac } from "node:crypto"
import type { Page } from "../api/Paging.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import type { UnknownCursor } from "../database/Keyset.ts"
import * as Identifier from "../Identifier.ts"
import type { SealedColumn } from "../database/SealedColumn.ts"
import { Secrets } from "../identity/secrets/Secrets.ts"
import { type BankAccount, checkAccount, type GivenAccount, type InvalidBankAccount } from "./BankAccount.ts"
import { BeneficiaryRepository, type StoredBeneficiary } from "./BeneficiaryRepository.ts"
import { refusal } from "../../engine/wire/Refusal.ts"

/** Beneficiaries that one owner may have. */
export const MAX_BENEFICIARIES = 200

/** What account numbers are sealed for. */
const NUMBER_PURPOSE = "transfers/account-number"

/** Where the account numbers are. */
export const sealedNumbers: SealedColumn = {
  table: "beneficiaries",
  key: "id",
  column: "number_box",
  purpose: () => NUMBER_PURPOSE
}

/** How much of a number is kept in the open. */
const END = 4

/** The owner has {@link MAX_BENEFICIARIES}. */
export class TooManyBeneficiaries extends refusal(
  "TooManyBeneficiaries",
  "unprocessable",
  () => `One owner has ${MAX_BENEFICIARIES} beneficiaries at most: delete one.`
) {}

/** The owner has no beneficiary of this id. */
export class BeneficiaryNotFound extends refusal(
  "BeneficiaryNotFound",
  "not_found",
  ({ id }: { readonly id: string }) => `There is no beneficiary ${id} of yours.`
) {}

/** An account outside that an owner sends money to. */
export interface Beneficiary extends BankAccount {
  readonly id: string
  readonly owner: string
  readonly createdAt: number
}

export interface BeneficiaryPage {
  readonly beneficiaries: ReadonlyArray<Beneficiary>
  readonly total: number
  /** The cursor of the next page, where there is one. */
  readonly next: string | undefined
}

/** Accounts outside that money may go to. Their numbers are encrypted in the database. */
export class Beneficiaries extends Context.Service<
  Beneficiaries,
  {
    /** Adds an account, or gives the same one its new name. */
    readonly load: (
      owner: string,
      account: GivenAccount
    ) => Effect.Effect<Beneficiary, InvalidBankAccount | TooManyBeneficiaries | Unavailable>
    readonly exists: (owner: string, id: string) => Effect.Effect<boolean, Unavailable>
    /** Those of an owner, oldest first. */
    readonly list: (owner: string, page: Page) => Effect.Effect<BeneficiaryPage, Unavailable | UnknownCursor>
    readonly remove: (owner: string, id: string) => Effect.Effect<void, BeneficiaryNotFound | Unavailable>
  }
>()("emporion/transfers/Beneficiaries") {
  static readonly layer = Layer.effect(
    this,
    Effect.suspend(() => make)
  )
}

const make = Effect.gen(function* () {
  const repository = yield* BeneficiaryRepository
  const secrets = yield* Secrets
  const idKey = secrets.derive("transfers/beneficiary-id")

  /** The same account of an owner has the same id, which tells nothing of its number. */
  const idOf = (owner: string, { accountNumber, bankId, country }: BankAccount): string => {
    const facts = JSON.stringify([owner, accountNumber, country ?? null, bankId ?? null])
    return Identifier.fromBytes("ben", createHmac("sha256", idKey).update(facts).digest().subarray(0, 24))
  }

  const opened = Effect.fnUntraced(function* ({
    accountName,
    bankId,
    country,
    createdAt,
    id,
    numberBox,
    owner
  }: StoredBeneficiary) {
    const number = yield* Effect.orDie(secrets.open(NUMBER_PURPOSE, numberBox))
    return { id, owner, accountName, accountNumber: new TextDecoder().decode(number), country, bankId, createdAt }
  })

  return Beneficiaries.of({
    load: Effect.fn("Beneficiaries.load")(function* (owner, given) {
      const account = yield* Effect.fromResult(checkAccount(given))
      const { accountNumber, ...rest } = account
      const stored = yield* repository.put(
        {
          ...rest,
          id: idOf(owner, account),
          owner,
          numberBox: yield* secrets.seal(NUMBER_PURPOSE, new TextEncoder().encode(accountNumber)),
          numberEnd: accountNumber.slice(-END),
          createdAt: yield* Clock.currentTimeMillis
        },
        MAX_BENEFICIARIES
      )
      return stored === undefined ? yield* new TooManyBeneficiaries() : yield* opened(stored)
    }),
    exists: (owner, id) => repository.exists(owner, id),
    list: Effect.fn("Beneficiaries.list")(function* (owner, page) {
      const { found, ...counted } = yield* repository.list(owner, page)
      return { beneficiaries: yield* Effect.forEach(found, opened), ...counted }
    }),
    remove: Effect.fn("Beneficiaries.remove")(function* (owner, id) {
      const removed = yield* repository.remove(owner, id, yield* Clock.currentTimeMillis)
      if (!removed) return yield* new BeneficiaryNotFound({ id })
    })
  })
})
