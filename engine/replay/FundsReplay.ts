import { Result } from "effect"
import type { AccountId } from "../ledger/Account.ts"
import type { Command } from "../ledger/Command.ts"
import * as Funding from "../ledger/Funding.ts"
import type { FundsEvent, FundsMinted } from "../ledger/FundsEvent.ts"
import type { FamilyReplay } from "./FamilyReplay.ts"
import { fundRow, type OpenedFund } from "./FundOpening.ts"
import type { RowSink } from "./RowSink.ts"
import type { StoredEvent } from "./StoredEvent.ts"
import { grantLossAllowance } from "../ledger/LossLimit.ts"

/** The id of an owner's fund of an asset where the owner names none. */
export type DefaultFundId = (owner: string, asset: string) => string

/** The commands and rows of money that comes in. */
export class FundsReplay implements FamilyReplay<FundsEvent> {
  readonly #sink: RowSink
  readonly #defaultId: DefaultFundId
  /** Whether the ledger ever wrote an account. */
  readonly #isThere: (id: AccountId) => boolean
  readonly #ids = new Set<string>()
  readonly #wallets = new Set<string>()

  constructor(sink: RowSink, defaultId: DefaultFundId, isThere: (id: AccountId) => boolean) {
    this.#sink = sink
    this.#defaultId = defaultId
    this.#isThere = isThere
  }

  /** The commands of a recorded event, or why they cannot be told. */
  decide(event: FundsEvent, { stream }: StoredEvent): Result.Result<ReadonlyArray<Command>, string> {
    switch (event._tag) {
      case "FundsMinted":
        return this.#mint(event, stream)
      case "CapitalFunded": {
        const command = Funding.capital(event.account as AccountId, event.amount, stream.split("/").at(-1) ?? "")
        return command.id === stream ? Result.succeed([command]) : elsewhere(command.id)
      }
      case "AllowanceGranted": {
        const command = grantLossAllowance(event.traderId, event.amount)
        return command.id === stream ? Result.succeed([command]) : elsewhere(command.id)
      }
    }
  }

  /** Nothing of its own: see {@link open}. */
  evolve(): void {}

  /** Puts the row of a fund that an event makes, of whatever family, where the owner has none of the asset. */
  open({ asset, fundId, owner }: OpenedFund, at: number, stored: StoredEvent): void {
    const account = Funding.walletOf(owner, asset)
    if (this.#wallets.has(account)) return
    const id = fundId === undefined || this.#ids.has(fundId) ? this.#defaultId(owner, asset) : fundId
    this.#wallets.add(account)
    this.#ids.add(id)
    this.#sink.put(fundRow(id, owner, asset, at), stored)
  }

  #mint(event: FundsMinted, stream: string): Result.Result<ReadonlyArray<Command>, string> {
    const { owner, asset, amount, externalReference, posting } = event
    if (posting === undefined) return Result.fail("was recorded before mints said how the ledger took them")
    const expected = streamOf(event, posting)
    if (stream !== expected) return elsewhere(expected)
    if (externalReference !== null && posting.id !== `reference/${externalReference}`) {
      return Result.fail("names another posting than its reference")
    }
    const money = { id: posting.id, owner, asset, amount }
    if (!posting.limited) return Result.succeed([Funding.mint(money)])
    const granted = this.#isThere(Funding.mintAllowanceOf(owner, asset))
    const spent = Funding.mintWithinAllowance(money)
    return Result.succeed(granted ? spent : [Funding.grantMintAllowance(owner, asset), ...spent])
  }
}

/** A deposit and a start have a stream of their own, which makes them happen once. */
const streamOf = ({ owner, asset, externalReference }: FundsMinted, { id }: { readonly id: string }): string => {
  if (externalReference !== null) return `deposit/${externalReference}`
  return id === `starting/${owner}/${asset}` ? id : `funds/${owner}`
}

const elsewhere = (stream: string): Result.Result<never, string> =>
  Result.fail(`belongs in the stream ${stream} and stands in another`)
