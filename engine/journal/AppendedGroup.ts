import type { GroupResult } from "../actor/CommitGroup.ts"
import type { ChainHash } from "../actor/EventChain.ts"
import type { AccountId } from "../ledger/Account.ts"
import { isRequestName } from "../cluster/RequestName.ts"
import type { PlatformEvent } from "../replay/PlatformEvent.ts"
import {
  appendedRows,
  endOf,
  type JournalEnd,
  type JournalEntry,
  type JournalRow,
  type KeyedAnswer
} from "./JournalRow.ts"
import type { WriterMemory } from "./WriterMemory.ts"
import type { EventAnswers } from "./StoredResponse.ts"

/** A group that is in the journal, or on its way there. */
export interface AppendedGroup {
  readonly settled: GroupResult<PlatformEvent>
  /** Those that are kept with it. */
  readonly answers: ReadonlyArray<KeyedAnswer>
  /** The accounts that it changes and that had no row before. */
  readonly newAccounts: ReadonlySet<AccountId>
  /** The end of the journal after it. */
  readonly end: JournalEnd
}

/** A group, and the rows that it is appended as. */
export interface GroupRows {
  readonly group: AppendedGroup
  readonly rows: ReadonlyArray<JournalRow>
}

/** The end that a group is appended to. */
export interface Behind {
  readonly end: JournalEnd
  readonly memory: WriterMemory
  readonly answers: EventAnswers
  readonly term: bigint
  /** The writer's clock, in milliseconds since 1970. */
  readonly now: number
}

/** The rows of a settled group behind an end. */
export const appendedGroup = (
  settled: GroupResult<PlatformEvent>,
  { answers: of, end, memory, now, term }: Behind,
  link: ChainHash
): GroupRows => {
  const answers = answersOf(settled, of)
  const rows = appendedRows(end, { entries: entriesOf(settled), answers, term, now }, link)
  const last = rows.at(-1)
  const newAccounts = newAccountsOf(settled, memory)
  return { group: { settled, answers, newAccounts, end: last === undefined ? end : endOf(last) }, rows }
}

/** The accounts that a group changes and that nobody wrote before, by the memory before it. */
export const newAccountsOf = (
  { book }: Pick<GroupResult<PlatformEvent>, "book">,
  memory: WriterMemory
): ReadonlySet<AccountId> => new Set([...book.changedAccounts].filter((id) => memory.account(id) === undefined))

/** The events of a group as the journal has them. */
const entriesOf = ({
  answers,
  claims,
  commands,
  recorded
}: GroupResult<PlatformEvent>): ReadonlyArray<JournalEntry> => {
  const keys = new Map(answers.map(({ key, recorded: { seq } }) => [seq, key]))
  const claimed = Map.groupBy(claims.keys(), (name) => claims.get(name))
  return recorded.map(({ data, seq, stream }, index) => ({
    stream,
    data,
    commands: commands[index] ?? [],
    key: keys.get(seq) ?? "",
    claims: claimed.get(seq) ?? []
  }))
}

/**
 * The answers for retries under a group's keys. The name of a request stands with its entry: where the answer follows from
 * the event, nothing is kept besides.
 */
const answersOf = (
  { answers, book }: GroupResult<PlatformEvent>,
  { follows, of }: EventAnswers
): ReadonlyArray<KeyedAnswer> => {
  const kept: Array<KeyedAnswer> = []
  for (const { answer, fingerprint, key, recorded } of answers) {
    if (answer === undefined && isRequestName(key) && follows(recorded.event)) continue
    kept.push({ seq: recorded.seq, key, fingerprint, ...(answer ?? of(recorded, (id) => book.account(id))) })
  }
  return kept
}
