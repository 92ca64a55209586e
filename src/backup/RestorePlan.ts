import { Effect } from "effect"
import { endOf, type JournalRow } from "../../engine/journal/JournalRow.ts"
import { AHEAD, followsJournal } from "./BackupCoverage.ts"
import {
  type BackupManifest,
  type CopiedTable,
  getManifest,
  type ManifestName,
  manifestNames
} from "./BackupManifest.ts"
import { BackupFailed, BackupStore } from "./BackupStore.ts"

/** How far a database is to be restored: to a sequence, to a time in milliseconds since 1970, or as far as backups go. */
export type RestoreTarget =
  | { readonly _tag: "Sequence"; readonly seq: number }
  | { readonly _tag: "Time"; readonly at: number }
  | { readonly _tag: "Latest" }

/** What of which backups makes a database as it was. */
export interface RestorePlan {
  /** The full backup that it begins with. */
  readonly base: BackupManifest
  /** The backup that has the tables beside the journal: the last one at the target or before it. */
  readonly beside: BackupManifest
  /** The first backup that reaches the target. */
  readonly ahead: BackupManifest
  readonly tables: ReadonlyArray<CopiedTable>
  /** The journal's rows, in their order; those beyond the target among them. */
  readonly journal: ReadonlyArray<CopiedTable>
  /** Whether a row of the journal belongs to what is restored. */
  readonly has: (row: JournalRow) => boolean
}

const isAtMost = (target: RestoreTarget, { madeAt, seq }: Pick<BackupManifest, "madeAt" | "seq">): boolean => {
  switch (target._tag) {
    case "Sequence":
      return seq <= target.seq
    case "Time":
      return madeAt <= target.at
    case "Latest":
      return true
  }
}

const isAt = (target: RestoreTarget, { madeAt, seq }: Pick<BackupManifest, "madeAt" | "seq">): boolean =>
  target._tag === "Sequence" ? seq === target.seq : target._tag === "Time" && madeAt === target.at

const shown = ({ madeAt, seq }: ManifestName): string => `sequence ${seq} of ${new Date(madeAt).toISOString()}`

const beyond = (place: string, first: ManifestName, last: ManifestName): BackupFailed =>
  new BackupFailed({
    message: `The backups of ${place} go from ${shown(first)} to ${shown(last)}: name a sequence or a time between, or latest.`
  })

/** The backups from the last full one at or before a target to the first one that reaches it, and those after it. */
const chosen = Effect.fnUntraced(function* (target: RestoreTarget) {
  const { place } = yield* BackupStore
  const names = yield* manifestNames()
  const [first, last] = [names.find(({ kind }) => kind === "full"), names.at(-1)]
  if (first === undefined || last === undefined) {
    return yield* new BackupFailed({
      message: `${place} has no full backup: name the folder or bucket that emporion backup wrote to.`
    })
  }
  const isReached = target._tag === "Latest" || !isAtMost(target, last) || isAt(target, last)
  const from = names.findLastIndex((name) => name.kind === "full" && isAtMost(target, name))
  if (from === -1 || !isReached) return yield* beyond(place, first, last)
  const end = names.findIndex((name, at) => at > from && !isAtMost(target, name))
  const behind = end === -1 ? names.length : end + 1
  return { names: names.slice(from, behind), later: names.slice(behind) }
})

interface Connected {
  /** The journal's parts, of which each begins where those before it end, or before. */
  readonly parts: ReadonlyArray<CopiedTable>
  /** The end of these parts. */
  readonly seq: number
  /** Where a backup begins that they do not reach, unless a later full one has the journal before it. */
  readonly gap: number | undefined
}

const connected = ([base, ...others]: ReadonlyArray<BackupManifest>): Connected => {
  if (base === undefined) return { parts: [], seq: 0, gap: undefined }
  const parts = [base.journal]
  let { seq } = base
  let gap: number | undefined
  for (const manifest of others) {
    if (manifest.after > seq) {
      gap ??= manifest.after
      continue
    }
    if (manifest.kind === "full") gap = undefined
    parts.push(manifest.journal)
    seq = Math.max(seq, manifest.seq)
  }
  return { parts, seq, gap }
}

/** The backups of a plan. Where increments went, the next full one is among them, which has the journal before itself. */
const gapless = Effect.fnUntraced(function* ({ later, names }: Effect.Success<ReturnType<typeof chosen>>) {
  const manifests = yield* Effect.forEach(names, ({ name }) => getManifest(name))
  if (connected(manifests).gap === undefined) return manifests
  const full = later.find(({ kind }) => kind === "full")
  const all = full === undefined ? manifests : [...manifests, yield* getManifest(full.name)]
  const { gap, seq } = connected(all)
  if (gap === undefined) return all
  const { place } = yield* BackupStore
  return yield* new BackupFailed({
    message: `${place} lacks the journal between ${seq} and ${gap}: use a copy of the backups that has all files.`
  })
})

/** Which files make the database as it was at a target. Fails, and says what there is, if they do not reach it. */
export const planRestore = Effect.fn("backup.planRestore")(function* (target: RestoreTarget) {
  const manifests = yield* gapless(yield* chosen(target))
  const [base] = manifests
  const beside = manifests.findLast((manifest) => isAtMost(target, manifest))
  if (base === undefined || beside === undefined) throw new TypeError("a plan begins with a full backup")
  const ahead = isAt(target, beside) ? beside : (manifests.at(-1) ?? beside)
  const tables = base.tables.map((table): CopiedTable => {
    const from = AHEAD.has(table.name) ? ahead : followsJournal(table.name) ? base : beside
    return from.tables.find(({ name }) => name === table.name) ?? table
  })
  const has = (row: JournalRow): boolean => {
    const { seq } = endOf(row)
    if (seq <= beside.seq || target._tag === "Latest") return true
    return target._tag === "Sequence" ? seq <= target.seq : row.recordedAt <= target.at
  }
  return { base, beside, ahead, tables, journal: connected(manifests).parts, has } satisfies RestorePlan
})
