/** What a process that makes one backup after the other keeps of the last one, so that the next reads what is new. */

import type { PersonalTable } from "../database/PersonalTable.ts"
import { followsJournal, isCopied } from "./BackupCoverage.ts"
import type { BackupKeys } from "./BackupKeys.ts"
import type { BackupManifest } from "./BackupManifest.ts"
import type { DatabasePosition, TableColumns } from "./BackupRepository.ts"
import type { TablePart } from "./TablePart.ts"

/** The last backup, as the process that made it remembers it. */
export interface BackupMemory {
  readonly manifest: BackupManifest
  /** Where the database stood. */
  readonly position: DatabasePosition
  readonly tables: ReadonlyArray<TableColumns>
  /** The parts of the tables that {@link isLookedAt}, by the table's name. */
  readonly parts: ReadonlyMap<string, ReadonlyArray<TablePart>>
  readonly keys: BackupKeys
  /** The users and companies that were forgotten. */
  readonly erased: ReadonlySet<string>
}

/** Whether whose a row is follows from the row alone, so that it stays the same where the row does. */
const ownsItsSubject = ({ subject }: PersonalTable): boolean => !/\bselect\b/i.test(subject)

/** Whether a table is looked at for what changed before it is read. */
export const isLookedAt = (name: string, personal: PersonalTable | undefined): boolean =>
  isCopied(name) && !followsJournal(name) && (personal === undefined || ownsItsSubject(personal))

/** Whether what is remembered says something of a database as it is now: in one session, and with the same migrations. */
export const isOf = ({ position }: BackupMemory, { migrated, schema, session }: DatabasePosition): boolean =>
  position.session === session && position.schema === schema && position.migrated === migrated

/** Everybody who was forgotten had been when the last backup was made. */
export const forgotNobodyElse = (memory: BackupMemory, erased: ReadonlySet<string>): boolean =>
  memory.erased.size === erased.size && [...erased].every((id) => memory.erased.has(id))
