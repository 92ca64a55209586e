import type { Account, AccountId } from "../ledger/Account.ts"
import { NameSet } from "./NameSet.ts"
import type {
  Capture,
  Command,
  Cover,
  Hold,
  PlaceMultiHold,
  Release,
  ReleaseMultiHold,
  TakeMultiHold,
  Transfer,
  Turn
} from "../ledger/Command.ts"
import { fromUnits } from "../money/Amount.ts"

/** Told of a rule that does not hold. */
export type Report = (invariant: string, detail: string) => void

interface Purse {
  balance: bigint
  held: bigint
  closed: boolean
  /** The balance that the journal's ledger was last seen with. */
  seen: bigint
  readonly asset: string
  readonly isCustody: boolean
}

interface Claim {
  readonly account: AccountId
  readonly amount: bigint
  isPending: boolean
}

/** Purses and pending claims; a draft reads through to what it may change, and changes only itself. */
class Ledger {
  readonly purses = new Map<string, Purse>()
  readonly claims = new Map<string, Claim>()
  /** The ids of claims that are resolved; a draft forgets them with itself. */
  readonly #resolved: NameSet | undefined
  readonly #below: Ledger | undefined

  constructor(below?: Ledger) {
    this.#below = below
    this.#resolved = below === undefined ? new NameSet() : undefined
  }

  purse(id: string): Purse {
    const known = this.purses.get(id)
    if (known !== undefined) return known
    const below = this.#below?.purse(id)
    const purse = below === undefined ? emptyPurse(id) : { ...below }
    this.purses.set(id, purse)
    return purse
  }

  claim(id: string): Claim | undefined {
    const known = this.claims.get(id)
    if (known !== undefined || this.#below === undefined) return known
    const below = this.#below.claim(id)
    if (below === undefined) return undefined
    const copy = { ...below }
    this.claims.set(id, copy)
    return copy
  }

  wasClaimed(id: string): boolean {
    return this.claim(id) !== undefined || this.#resolved?.has(id) === true || this.#below?.wasClaimed(id) === true
  }

  /** Nothing is asked of a claim once it is resolved but whether it was one. */
  resolve(id: string, claim: Claim): void {
    claim.isPending = false
    if (this.#resolved === undefined) return
    this.claims.delete(id)
    this.#resolved.add(id)
  }
}

/**
 * The ledger told again, naively: purses and claims in two maps, moved by the commands of what was recorded. It says
 * what the ledger had to accept and refuse, and what each account must hold after every commit.
 */
export class LedgerAudit {
  readonly #ledger = new Ledger()
  readonly #report: Report
  readonly #totals = new Map<string, bigint>()
  readonly #touched = new Set<AccountId>()

  constructor(report: Report) {
    this.#report = report
  }

  /** One entry, and what became of it. */
  entry(commands: ReadonlyArray<Command>, isAccepted: boolean): void {
    if (!isAccepted) {
      const reason = obstacle(new Ledger(this.#ledger), commands, new Set())
      if (reason === undefined) this.#report("refusal", `the ledger refused ${summary(commands)} without a reason`)
      return
    }
    const reason = obstacle(this.#ledger, commands, this.#touched)
    if (reason !== undefined) this.#report("ledger", `the ledger took ${summary(commands)}, although ${reason}`)
  }

  /** Compares what a commit touched with the journal's own accounts. */
  commit(changed: Iterable<AccountId>, actual: (id: AccountId) => Omit<Account, "id">): void {
    for (const id of changed) this.#touched.add(id)
    const assets = new Set<string>()
    for (const id of this.#touched) {
      const purse = this.#ledger.purse(id)
      const { balance, closed, held } = actual(id)
      if (balance !== purse.seen) {
        assets.add(purse.asset)
        this.#totals.set(purse.asset, (this.#totals.get(purse.asset) ?? 0n) + balance - purse.seen)
        purse.seen = balance
      }
      if (balance !== purse.balance) this.#report("balance", `${id} has ${balance}, not ${purse.balance}`)
      if (held !== purse.held) this.#report("held", `${id} holds ${held}, not ${purse.held}`)
      if (closed !== purse.closed) this.#report("closed", `${id} is ${closed ? "closed" : "open"}`)
      if (held < 0n || (!purse.isCustody && held > balance)) {
        this.#report("overdraft", `${id} has ${balance} and holds ${held}`)
      }
    }
    for (const asset of assets) {
      const total = this.#totals.get(asset)
      if (total !== 0n) this.#report("zero_sum", `all ${asset} sums to ${total}`)
    }
    this.#touched.clear()
  }

  /** The accounts that the entries since the last commit touched. */
  get touched(): ReadonlySet<AccountId> {
    return this.#touched
  }

  /** What an account must hold. */
  held(account: AccountId): bigint {
    return this.#ledger.purse(account).held
  }

  /** Every account at once, for the end: nothing may have changed by the way. */
  end(accounts: Iterable<Account>): void {
    const totals = new Map<string, bigint>()
    for (const { id, balance, held } of accounts) {
      const purse = this.#ledger.purse(id)
      totals.set(assetOf(id), (totals.get(assetOf(id)) ?? 0n) + balance)
      if (balance !== purse.balance || held !== purse.held) {
        this.#report("balance", `${id} ends with ${balance} and ${held} held, not ${purse.balance} and ${purse.held}`)
      }
    }
    for (const [asset, total] of totals) {
      if (total !== 0n) this.#report("zero_sum", `all ${asset} sums to ${total} at the end`)
    }
  }

  /** A hold that is pending. */
  claim(id: string): { readonly account: string; readonly amount: bigint; readonly isPending: boolean } | undefined {
    return this.#ledger.claim(id)
  }
}

const emptyPurse = (id: string): Purse => ({
  balance: 0n,
  held: 0n,
  closed: false,
  seen: 0n,
  asset: assetOf(id),
  isCustody: id.endsWith("/custody")
})

const assetOf = (id: string): string => id.split("/").at(-2) ?? ""

const summary = (commands: ReadonlyArray<Command>): string =>
  commands.map((command) => `${command._tag} ${nameOf(command)}`).join(", ")

const nameOf = (command: Command): string => {
  if ("hold" in command) return command.hold
  if ("multiHold" in command) return command.multiHold
  return "id" in command ? command.id : command.account
}

/** Carries the commands out one after the other; answers what stands against one of them. */
const obstacle = (ledger: Ledger, commands: ReadonlyArray<Command>, touched: Set<AccountId>): string | undefined => {
  for (const command of commands) {
    const reason = carryOut(ledger, command, touched)
    if (reason !== undefined) return reason
  }
  return undefined
}

const carryOut = (ledger: Ledger, command: Command, touched: Set<AccountId>): string | undefined => {
  switch (command._tag) {
    case "Transfer":
      return transfer(ledger, command, touched)
    case "Hold":
      return hold(ledger, command, touched)
    case "Release":
    case "Capture":
      return resolve(ledger, command, touched)
    case "Cover":
      return cover(ledger, command, touched)
    case "Close":
    case "Open":
      return turn(ledger, command, touched)
    case "PlaceMultiHold":
      return placeMany(ledger, command, touched)
    case "ReleaseMultiHold":
    case "TakeMultiHold":
      return endMany(ledger, command, touched)
  }
}

/** What a machine may lose changes while it may not commit, too. */
const isAllowance = (account: string): boolean => account.endsWith("/allowance")

const turn = (ledger: Ledger, { _tag, account }: Turn, touched: Set<AccountId>): undefined => {
  ledger.purse(account).closed = _tag === "Close"
  touched.add(account)
}

const freeOf = ({ balance, held }: Purse): bigint => balance - held

const transfer = (ledger: Ledger, { from, to, amount }: Transfer, touched: Set<AccountId>): string | undefined => {
  const payer = ledger.purse(from)
  const payee = ledger.purse(to)
  if (payee.closed && !isAllowance(to)) return `${to} is closed`
  if (!payer.isCustody && freeOf(payer) < amount) return `${from} has only ${freeOf(payer)}`
  payer.balance -= amount
  payee.balance += amount
  touched.add(from).add(to)
  return undefined
}

const hold = (
  ledger: Ledger,
  { id, account, into, amount, gate }: Hold,
  touched: Set<AccountId>
): string | undefined => {
  const purse = ledger.purse(account)
  if (gate !== undefined && ledger.purse(gate).closed) return `${gate} is closed`
  if (ledger.wasClaimed(id)) return `${id} was held before`
  if (ledger.purse(into).closed) return `${into} is closed`
  if (purse.closed) return `${account} is closed`
  if (freeOf(purse) < amount) return `${account} has only ${freeOf(purse)}`
  ledger.claims.set(id, { account, amount, isPending: true })
  purse.held += amount
  touched.add(account)
  return undefined
}

const resolve = (ledger: Ledger, command: Release | Capture, touched: Set<AccountId>): string | undefined => {
  const claim = ledger.claim(command.hold)
  if (claim?.isPending !== true) return `${command.hold} is not held, or resolved already`
  const purse = ledger.purse(claim.account)
  ledger.resolve(command.hold, claim)
  purse.held -= claim.amount
  touched.add(claim.account)
  if (command._tag === "Release") return undefined
  const { to, amount } = command
  const payee = ledger.purse(to)
  if (payee.closed) return `${to} is closed`
  if (amount <= 0n || amount > claim.amount) return `${command.hold} is only ${claim.amount}`
  purse.balance -= amount
  payee.balance += amount
  touched.add(to)
  return undefined
}

/** The claim on one account of a multi-hold. */
const partName = (multiHold: string, number: number): string => `multi/${multiHold}/${number}`

const placeMany = (ledger: Ledger, { id, parts }: PlaceMultiHold, touched: Set<AccountId>): string | undefined => {
  for (const [number, { account, amount }] of parts.entries()) {
    const into = custodyFor(account)
    const reason = hold(ledger, { _tag: "Hold", id: partName(id, number), account, into, amount }, touched)
    if (reason !== undefined) return reason
  }
  return undefined
}

const custodyFor = (account: AccountId): AccountId => `platform/${assetOf(account)}/custody`

/** All parts go back, or all go out. */
const endMany = (
  ledger: Ledger,
  command: ReleaseMultiHold | TakeMultiHold,
  touched: Set<AccountId>
): string | undefined => {
  const { multiHold } = command
  if (ledger.claim(partName(multiHold, 0)) === undefined) return `${multiHold} is not held, or resolved already`
  for (let number = 0; ; number++) {
    const name = partName(multiHold, number)
    const claim = ledger.claim(name)
    if (claim === undefined) return undefined
    const { account, amount } = claim
    const to = custodyFor(account)
    const reason =
      command._tag === "TakeMultiHold"
        ? resolve(ledger, { _tag: "Capture", hold: name, to, amount: fromUnits(amount), purpose: "goods" }, touched)
        : resolve(ledger, { _tag: "Release", hold: name }, touched)
    if (reason !== undefined) return reason
  }
}

/** Pays as far as the sources reach. */
const cover = (ledger: Ledger, { sources, to, amount }: Cover, touched: Set<AccountId>): undefined => {
  const payee = ledger.purse(to)
  let missing: bigint = payee.closed ? 0n : amount
  for (const source of sources) {
    if (missing === 0n) return
    const payer = ledger.purse(source)
    const part = freeOf(payer) < missing ? freeOf(payer) : missing
    if (part <= 0n) continue
    payer.balance -= part
    payee.balance += part
    missing -= part
    touched.add(source).add(to)
  }
}
