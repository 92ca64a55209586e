import type { GroupResult } from "../actor/CommitGroup.ts"
import type { ChainHash } from "../actor/EventChain.ts"
import type { AccountId } from "../ledger/Account.ts"
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
import type { WritePorts } from "./WritePorts.ts"

/** A group that stands in the journal, or is on its way there. */
export interface AppendedGroup {
  readonly settled: GroupResult<PlatformEvent>
  readonly answers: ReadonlyArray<KeyedAnswer>
  /** The accounts that it changes and that had no row before it. */
  readonly newAccounts: ReadonlySet<AccountId>
  /** Where the journal ends with it. */
  readonly end: JournalEnd
}

/** A group, and the rows that it is appended as. */
export interface GroupRows {
  readonly group: AppendedGroup
  readonly rows: ReadonlyArray<JournalRow>
}

/** What a group is appended behind. */
export interface Behind {
  readonly end: JournalEnd
  readonly memory: WriterMemory
  readonly answer: WritePorts["answer"]
  readonly term: bigint
  /** The writer's clock, in milliseconds since 1970. */
  readonly now: number
}

/** The rows of what was settled behind an end. */
export const appendedGroup = (
  settled: GroupResult<PlatformEvent>,
  { answer, end, memory, now, term }: Behind,
  link: ChainHash
): GroupRows => {
  const answers = answersOf(settled, answer)
  const rows = appendedRows(end, { entries: entriesOf(settled), answers, term, now }, link)
  const last = rows.at(-1)
  const newAccounts = newAccountsOf(settled, memory)
  return { group: { settled, answers, newAccounts, end: last === undefined ? end : endOf(last) }, rows }
}

/** The accounts that a group changes and that nobody wrote before, by what is remembered before it. */
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

/** What the retries of a group's keys are answered. */
const answersOf = (
  { answers, book }: GroupResult<PlatformEvent>,
  answerOf: WritePorts["answer"]
): ReadonlyArray<KeyedAnswer> =>
  answers.map(({ answer, fingerprint, key, recorded }) => ({
    seq: recorded.seq,
    key,
    fingerprint,
    ...(answer ?? answerOf(recorded, (id) => book.account(id)))
  }))
