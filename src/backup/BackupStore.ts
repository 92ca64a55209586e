import { Context, Data, type Effect } from "effect"

/** A backup that cannot be written, read or used. Its message says what to do. */
export class BackupFailed extends Data.TaggedError("BackupFailed")<{ readonly message: string }> {}

/** Where backups are kept: files by name, each there whole or not at all. */
export class BackupStore extends Context.Service<
  BackupStore,
  {
    /** How people call it. */
    readonly place: string
    /** Keeps a file, durably, under a name of parts with slashes between. */
    readonly put: (name: string, bytes: Uint8Array) => Effect.Effect<void, BackupFailed>
    /** A file; fails if there is none. */
    readonly get: (name: string) => Effect.Effect<Uint8Array, BackupFailed>
    /** The length of a file in bytes; undefined if there is none. */
    readonly size: (name: string) => Effect.Effect<number | undefined, BackupFailed>
    /** The names in a folder, in their order, behind a name if one is given; none if there is no such folder. */
    readonly list: (folder: string, after?: string) => Effect.Effect<ReadonlyArray<string>, BackupFailed>
    /**
     * What is another one once a name came to a folder or went from it; undefined where the place tells nothing of the kind, or
     * nothing to be relied on.
     */
    readonly stamp: (folder: string) => Effect.Effect<string | undefined, BackupFailed>
    /** Removes a file. One that is not there is no failure. */
    readonly remove: (name: string) => Effect.Effect<void, BackupFailed>
  }
>()("emporion/backup/BackupStore") {}
