import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { LoadedGroup, StreamHead } from "../../engine/actor/CommitGroup.ts"
import type { Batch } from "../../engine/actor/Journal.ts"
import type { Account, AccountId } from "../../engine/ledger/Account.ts"
import { Book, type HoldRecord } from "../../engine/ledger/Book.ts"
import type { BasketRecord } from "../../engine/ledger/Basket.ts"
import { touchedAccounts } from "../../engine/ledger/TouchedAccounts.ts"
import type { Command } from "../../engine/ledger/Command.ts"
import { fromUnits } from "../../engine/money/Amount.ts"
import { texts } from "./ArrayParameter.ts"
import { pendingBaskets } from "./BasketStatements.ts"
import type { PlatformEvent } from "../../engine/replay/PlatformEvent.ts"
import type { WriterMemory } from "../../engine/journal/WriterMemory.ts"

interface AccountRow {
  readonly id: AccountId
  readonly balance: string
  readonly held: string
  readonly closed: boolean
}

interface HoldRow {
  readonly id: string
  readonly account: AccountId
  readonly into_account: AccountId
  readonly amount: string
}

interface StreamRow {
  readonly id: string
  readonly version: number
  readonly hash: Uint8Array
}

const toAccount = (row: AccountRow): Account => ({
  id: row.id,
  balance: fromUnits(BigInt(row.balance)),
  held: fromUnits(BigInt(row.held)),
  closed: row.closed
})

const toPendingHold = (row: HoldRow): HoldRecord => ({
  id: row.id,
  account: row.account,
  into: row.into_account,
  amount: fromUnits(BigInt(row.amount)),
  state: { _tag: "Pending" }
})

type Read<T> = Effect.Effect<T, SqlError>
type Texts = ReadonlyArray<string>

/** Reads of the tables, each as they are at one moment, by ids of which any may be missing. */
export interface StoredRows {
  readonly heads: (streams: Texts) => Read<ReadonlyArray<StreamHead & { readonly id: string }>>
  readonly accounts: (ids: ReadonlyArray<AccountId>) => Read<ReadonlyArray<Account>>
  readonly pendingHolds: (ids: Texts) => Read<ReadonlyArray<HoldRecord>>
  readonly pendingBaskets: (ids: Texts) => Read<ReadonlyArray<BasketRecord>>
  readonly claimed: (names: Texts) => Read<ReadonlySet<string>>
  /** Those under which an answer is kept that was given after a time in milliseconds since 1970. */
  readonly answered: (keys: Texts, since: number) => Read<ReadonlySet<string>>
}

/** The rows in PostgreSQL. */
export const storedRows = (sql: SqlClient): StoredRows => {
  const heads: StoredRows["heads"] = (streams) =>
    streams.length === 0
      ? Effect.succeed([])
      : sql<StreamRow>`SELECT id, version, hash FROM event_streams WHERE id = ANY(${texts(streams)}::text[])`

  const pendingHolds: StoredRows["pendingHolds"] = (ids) =>
    ids.length === 0
      ? Effect.succeed([])
      : sql<HoldRow>`
          SELECT id, account, into_account, amount::text AS amount FROM ledger_holds
          WHERE id = ANY(${texts(ids)}::text[]) AND status = 'pending'`.pipe(
          Effect.map((rows) => rows.map(toPendingHold))
        )

  const accounts: StoredRows["accounts"] = (ids) =>
    ids.length === 0
      ? Effect.succeed([])
      : sql<AccountRow>`
          SELECT id, balance::text AS balance, held::text AS held, closed FROM ledger_accounts
          WHERE id = ANY(${texts(ids)}::text[])`.pipe(Effect.map((rows) => rows.map(toAccount)))

  const claimed: StoredRows["claimed"] = (names) =>
    names.length === 0
      ? Effect.succeed(new Set())
      : sql<{ readonly name: string }>`SELECT name FROM claims WHERE name = ANY(${texts(names)}::text[])`.pipe(
          Effect.map((rows) => new Set(rows.map(({ name }) => name)))
        )

  const answered: StoredRows["answered"] = (keys, since) =>
    keys.length === 0
      ? Effect.succeed(new Set())
      : sql<{ readonly key: string }>`
          SELECT key FROM idempotency_keys WHERE key = ANY(${texts(keys)}::text[]) AND created_at > ${BigInt(since)}`.pipe(
          Effect.map((rows) => new Set(rows.map(({ key }) => key)))
        )

  return { accounts, answered, claimed, heads, pendingBaskets: pendingBaskets(sql), pendingHolds }
}

/**
 * What batches are decided on: the ends of streams, pending holds and baskets, accounts, and which names are claimed and
 * keys answered. What the writer does not remember stands in the tables as it is, and is read all at once, but for the
 * accounts that the holds that end name themselves.
 */
export const groupLoading = (rows: StoredRows) => {
  const { accounts: stored, answered, claimed, heads, pendingHolds } = rows

  const read = Effect.fnUntraced(function* (touched: Touched, memory: WriterMemory, keysSince: number) {
    const { accounts: named, claims, commands, keys } = touched
    const streams = parted(touched.streams, (stream) => {
      const head = memory.head(stream)
      return head === undefined ? undefined : { id: stream, ...head }
    })
    const accounts = parted(
      [...named].filter((id) => !memory.isAbsent(id)),
      (id) => memory.account(id)
    )
    // Taken before anything is waited for: what the tables get meanwhile is not remembered any more.
    const known = {
      holds: parted(touched.holds, (id) => memory.hold(id)),
      baskets: parted(touched.baskets, (id) => memory.basket(id)),
      claims: [...claims].filter((name) => memory.isClaimed(name)),
      keys: [...keys].filter((key) => memory.isAnswered(key))
    }
    const [read, readHolds, readBaskets, first, taken, kept] = yield* Effect.all(
      [
        heads(streams.missing),
        pendingHolds(known.holds.missing),
        rows.pendingBaskets(known.baskets.missing),
        stored(accounts.missing),
        claimed([...claims]),
        answered([...keys], keysSince)
      ],
      { concurrency: "unbounded" }
    )
    const holds = [...known.holds.known, ...readHolds]
    const baskets = [...known.baskets.known, ...readBaskets]
    const others = parted(accountsBehind(commands, holds, baskets, named), (id) => memory.account(id))
    const rest = yield* stored(others.missing)
    memory.recall(read, [...first, ...rest], absentOf(accounts.missing, first))
    const loaded: LoadedGroup = {
      book: new Book([...accounts.known, ...first, ...others.known, ...rest], holds, baskets),
      heads: new Map<string, StreamHead>([...streams.known, ...read].map((head) => [head.id, head])),
      claimed: new Set([...known.claims, ...taken]),
      answered: new Set([...known.keys, ...kept])
    }
    return loaded
  })

  /**
   * @param keysSince - answers that are older do not count, in milliseconds since 1970
   * @param isSurelyNew - whether no answer can be kept under a key, so that none is looked for
   */
  return (
    batches: ReadonlyArray<Batch<PlatformEvent>>,
    memory: WriterMemory,
    keysSince: number,
    isSurelyNew: (key: string) => boolean
  ): Effect.Effect<LoadedGroup, SqlError> =>
    Effect.suspend(() => {
      const touched = touchedBy(batches, isSurelyNew)
      return isRemembered(touched, memory)
        ? Effect.succeed({
            book: new Book([], [], [], (id) => memory.account(id)),
            heads: { get: (stream: string) => memory.head(stream) }
          })
        : read(touched, memory, keysSince)
    })
}

/** What batches are decided on. */
interface Touched {
  readonly commands: ReadonlyArray<Command>
  readonly streams: ReadonlySet<string>
  /** As far as the commands name them. */
  readonly accounts: ReadonlySet<AccountId>
  /** Holds and baskets that end. */
  readonly holds: ReadonlySet<string>
  readonly baskets: ReadonlySet<string>
  readonly claims: ReadonlySet<string>
  /** Under which answers are to be kept, and may be. */
  readonly keys: ReadonlySet<string>
}

const touchedBy = (batches: ReadonlyArray<Batch<PlatformEvent>>, isSurelyNew: (key: string) => boolean): Touched => {
  const touched = {
    commands: [] as Array<Command>,
    streams: new Set<string>(),
    accounts: new Set<AccountId>(),
    holds: new Set<string>(),
    baskets: new Set<string>(),
    claims: new Set<string>(),
    keys: new Set<string>()
  }
  for (const { claims = [], entries, isNew = false, premises = [], stream } of batches) {
    if (!isNew) touched.streams.add(stream)
    for (const premise of premises) touched.streams.add(premise.stream)
    for (const name of claims) touched.claims.add(name)
    for (const { commands, idempotency } of entries) {
      if (idempotency !== undefined && !isSurelyNew(idempotency.key)) touched.keys.add(idempotency.key)
      for (const command of commands) touch(touched, command)
    }
  }
  return touched
}

const touch = (
  touched: {
    readonly commands: Array<Command>
    readonly accounts: Set<AccountId>
    readonly holds: Set<string>
    readonly baskets: Set<string>
  },
  command: Command
): void => {
  touched.commands.push(command)
  for (const account of touchedAccounts(command, NO_HOLDS)) touched.accounts.add(account)
  if (command._tag === "Release" || command._tag === "Capture") touched.holds.add(command.hold)
  if (command._tag === "ReleaseBasket" || command._tag === "TakeBasket") touched.baskets.add(command.basket)
}

/** Whether nothing has to be read: then all is decided in one step, while which what is remembered stays as it is. */
const isRemembered = ({ accounts, baskets, claims, holds, keys, streams }: Touched, memory: WriterMemory): boolean => {
  if (holds.size > 0 || baskets.size > 0 || claims.size > 0 || keys.size > 0) return false
  for (const stream of streams) if (memory.head(stream) === undefined) return false
  for (const account of accounts) {
    if (memory.account(account) === undefined && !memory.isAbsent(account)) return false
  }
  return true
}

const NO_HOLDS: ReadonlyMap<string, HoldRecord> = new Map()

/** The accounts that only the holds and baskets that end can name, those that are placed by the batches included. */
const accountsBehind = (
  commands: ReadonlyArray<Command>,
  holds: ReadonlyArray<HoldRecord>,
  baskets: ReadonlyArray<BasketRecord>,
  named: ReadonlySet<AccountId>
): Iterable<AccountId> => {
  const held = new Map(holds.map((hold) => [hold.id, hold]))
  const kept = new Map(baskets.map((basket) => [basket.id, basket]))
  for (const command of commands) {
    if (command._tag !== "HoldBasket" || kept.has(command.id)) continue
    kept.set(command.id, { id: command.id, parts: command.parts, state: "Pending" })
  }
  if (held.size === 0 && kept.size === 0) return []
  return new Set(commands.flatMap((command) => touchedAccounts(command, held, kept))).difference(named)
}

/** Accounts come to be by the writer alone, so that one that is not there need not be looked for again. */
const absentOf = (missing: ReadonlyArray<AccountId>, found: ReadonlyArray<Account>): ReadonlyArray<AccountId> => {
  if (missing.length === found.length) return []
  const there = new Set(found.map(({ id }) => id))
  return missing.filter((id) => !there.has(id))
}

/** What is known of some keys, and the keys of which nothing is. */
const parted = <K, V>(
  keys: Iterable<K>,
  knownOf: (key: K) => V | undefined
): { readonly known: ReadonlyArray<V>; readonly missing: ReadonlyArray<K> } => {
  const known: Array<V> = []
  const missing: Array<K> = []
  for (const key of keys) {
    const value = knownOf(key)
    if (value === undefined) missing.push(key)
    else known.push(value)
  }
  return { known, missing }
}
