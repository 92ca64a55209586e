import { Effect } from "effect"
import type { LoadedGroup, StreamHead } from "../actor/CommitGroup.ts"
import type { Batch } from "../actor/Journal.ts"
import type { Account, AccountId } from "../ledger/Account.ts"
import type { MultiHoldRecord } from "../ledger/MultiHold.ts"
import { Book, type HoldRecord } from "../ledger/Book.ts"
import type { Command } from "../ledger/Command.ts"
import { addTouchedAccounts } from "../ledger/TouchedAccounts.ts"
import type { PlatformEvent } from "../replay/PlatformEvent.ts"
import type { WriterMemory } from "./WriterMemory.ts"
import type { LoadGroup } from "./WritePorts.ts"

type Texts = ReadonlyArray<string>

/** Reads of the tables, each of one moment, by ids. Any of the rows may be missing. */
export interface StoredRows<E> {
  readonly heads: (streams: Texts) => Effect.Effect<ReadonlyArray<StreamHead & { readonly id: string }>, E>
  readonly accounts: (ids: ReadonlyArray<AccountId>) => Effect.Effect<ReadonlyArray<Account>, E>
  readonly pendingHolds: (ids: Texts) => Effect.Effect<ReadonlyArray<HoldRecord>, E>
  readonly pendingMultiHolds: (ids: Texts) => Effect.Effect<ReadonlyArray<MultiHoldRecord>, E>
  readonly claimed: (names: Texts) => Effect.Effect<ReadonlySet<string>, E>
  /** The keys with an answer that was given after a time in milliseconds since 1970, and the names of what was executed. */
  readonly answered: (keys: Texts, since: number) => Effect.Effect<ReadonlySet<string>, E>
}

/**
 * Loads the state for deciding batches: the ends of streams, pending holds and multi-holds, accounts, claimed names and
 * answered keys. Whatever the writer does not remember is up to date in the tables, and is read all at once, except for
 * the accounts that only ending holds name.
 */
export const groupLoading = <E>(rows: StoredRows<E>): LoadGroup<E> => {
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
    // Taken before any wait: the writer forgets what the tables get meanwhile.
    const known = {
      holds: parted(touched.holds, (id) => memory.hold(id)),
      multiHolds: parted(touched.multiHolds, (id) => memory.multiHold(id)),
      claims: [...claims].filter((name) => memory.isClaimed(name)),
      keys: [...keys].filter((key) => memory.isAnswered(key))
    }
    const [read, readHolds, readMultiHolds, first, taken, kept] = yield* Effect.all(
      [
        heads(streams.missing),
        pendingHolds(known.holds.missing),
        rows.pendingMultiHolds(known.multiHolds.missing),
        stored(accounts.missing),
        claimed([...claims]),
        answered([...keys], keysSince)
      ],
      { concurrency: "unbounded" }
    )
    const holds = [...known.holds.known, ...readHolds]
    const multiHolds = [...known.multiHolds.known, ...readMultiHolds]
    const others = parted(accountsBehind(commands, holds, multiHolds, named), (id) => memory.account(id))
    const rest = yield* stored(others.missing)
    memory.recall(read, [...first, ...rest], absentOf(accounts.missing, first))
    const loaded: LoadedGroup = {
      book: new Book([...accounts.known, ...first, ...others.known, ...rest], holds, multiHolds),
      heads: new Map<string, StreamHead>([...streams.known, ...read].map((head) => [head.id, head])),
      claimed: new Set([...known.claims, ...taken]),
      answered: new Set([...known.keys, ...kept])
    }
    return loaded
  })

  return (batches, memory, keysSince, isSurelyNew) =>
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

/** The names that deciding some batches touches. */
interface Touched {
  readonly commands: ReadonlyArray<Command>
  readonly streams: ReadonlySet<string>
  /** As far as the commands name them. */
  readonly accounts: ReadonlySet<AccountId>
  /** Holds and multi-holds that end. */
  readonly holds: ReadonlySet<string>
  readonly multiHolds: ReadonlySet<string>
  /** Names that are claimed, or counted on as unclaimed. */
  readonly claims: ReadonlySet<string>
  /** The keys of answers that are to be kept, or may already be kept. */
  readonly keys: ReadonlySet<string>
}

const touchedBy = (batches: ReadonlyArray<Batch<PlatformEvent>>, isSurelyNew: (key: string) => boolean): Touched => {
  const touched = {
    commands: [] as Array<Command>,
    streams: new Set<string>(),
    accounts: new Set<AccountId>(),
    holds: new Set<string>(),
    multiHolds: new Set<string>(),
    claims: new Set<string>(),
    keys: new Set<string>()
  }
  for (const { claims = [], entries, isNew = false, preconditions = [], stream, unclaimed = [] } of batches) {
    if (!isNew) touched.streams.add(stream)
    for (const precondition of preconditions) touched.streams.add(precondition.stream)
    for (const name of claims) touched.claims.add(name)
    for (const name of unclaimed) touched.claims.add(name)
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
    readonly multiHolds: Set<string>
  },
  command: Command
): void => {
  touched.commands.push(command)
  addTouchedAccounts(touched.accounts, command, NO_HOLDS)
  if (command._tag === "Release" || command._tag === "Capture") touched.holds.add(command.hold)
  if (command._tag === "ReleaseMultiHold" || command._tag === "TakeMultiHold") touched.multiHolds.add(command.multiHold)
}

/** Whether nothing has to be read. Then everything is decided in one step, during which the memory does not change. */
const isRemembered = (
  { accounts, multiHolds, claims, holds, keys, streams }: Touched,
  memory: WriterMemory
): boolean => {
  if (holds.size > 0 || multiHolds.size > 0 || claims.size > 0 || keys.size > 0) return false
  for (const stream of streams) if (memory.head(stream) === undefined) return false
  for (const account of accounts) {
    if (memory.account(account) === undefined && !memory.isAbsent(account)) return false
  }
  return true
}

const NO_HOLDS: ReadonlyMap<string, HoldRecord> = new Map()

/** The accounts that only ending holds and multi-holds name, including those that the batches place. */
const accountsBehind = (
  commands: ReadonlyArray<Command>,
  holds: ReadonlyArray<HoldRecord>,
  multiHolds: ReadonlyArray<MultiHoldRecord>,
  named: ReadonlySet<AccountId>
): Iterable<AccountId> => {
  const held = new Map(holds.map((hold) => [hold.id, hold]))
  const kept = new Map(multiHolds.map((multiHold) => [multiHold.id, multiHold]))
  for (const command of commands) {
    if (command._tag !== "PlaceMultiHold" || kept.has(command.id)) continue
    kept.set(command.id, { id: command.id, parts: command.parts, state: "Pending" })
  }
  if (held.size === 0 && kept.size === 0) return []
  const touched = new Set<AccountId>()
  for (const command of commands) if (isEnding(command)) addTouchedAccounts(touched, command, held, kept)
  return touched.difference(named)
}

/** Whether a command names a hold or a multi-hold in place of its accounts. Any other names all that it touches. */
const isEnding = ({ _tag }: Command): boolean =>
  _tag === "Release" || _tag === "Capture" || _tag === "ReleaseMultiHold" || _tag === "TakeMultiHold"

/** Only the writer makes accounts, so a missing one need not be looked for again. */
const absentOf = (missing: ReadonlyArray<AccountId>, found: ReadonlyArray<Account>): ReadonlyArray<AccountId> => {
  if (missing.length === found.length) return []
  const there = new Set(found.map(({ id }) => id))
  return missing.filter((id) => !there.has(id))
}

/** The known answers of some keys, and the keys about which nothing is known. */
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
