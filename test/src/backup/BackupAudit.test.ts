import { describe, expect } from "bun:test"
import { Effect, Exit } from "effect"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { auditPlan, auditStore } from "../../../src/backup/BackupAudit.ts"
import { manifestNames } from "../../../src/backup/BackupManifest.ts"
import { prune } from "../../../src/backup/BackupPruning.ts"
import * as FolderBackups from "../../../src/backup/FolderBackups.ts"
import { planRestore, type RestoreTarget } from "../../../src/backup/RestorePlan.ts"
import { backUp, backupDrill } from "../../lib/BackupDrill.ts"
import { itLive } from "../../lib/Effects.ts"
import { PlayedLog } from "../../lib/PlayedLog.ts"
import { temporaryFolder } from "../../lib/TemporaryFolder.ts"
import { TestServer } from "../../lib/TestServer.ts"

const filesIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

const planned = (target: RestoreTarget) => Effect.flatMap(planRestore(target), auditPlan)

describe("auditStore", () => {
  itLive(
    "finds a changed byte in any file, and one that is gone from what is needed",
    () =>
      Effect.gen(function* () {
        const folder = join(yield* temporaryFolder, "backups")
        const server = yield* TestServer.make()
        const log = new PlayedLog(server)
        yield* backUp(log, folder)
        yield* server.user()
        yield* backUp(log, folder)
        const store = FolderBackups.layer(folder)
        const audit = Effect.exit(Effect.provide(auditStore, store))
        const files = filesIn(folder)
        expect(yield* audit).toEqual(Exit.succeed(files.length))
        for (const [index, file] of files.entries()) {
          const whole = readFileSync(file)
          const altered = Buffer.from(whole)
          const at = (index * 7_919) % altered.length
          altered[at] = (altered[at] ?? 0) ^ (1 << (index % 8))
          writeFileSync(file, altered)
          expect([file, Exit.isFailure(yield* audit)]).toEqual([file, true])
          writeFileSync(file, whole)
        }
        expect(yield* audit).toEqual(Exit.succeed(files.length))
      }),
    60_000
  )
})

describe("planRestore", () => {
  itLive(
    "reaches every sequence from the first backup to the last, and no other, also when old increments went",
    () =>
      Effect.gen(function* () {
        const { backups, folder } = yield* backupDrill
        const store = FolderBackups.layer(folder)
        const [first, last] = [backups[0] ?? 0, backups.at(-1) ?? 0]
        const ends = Effect.gen(function* () {
          const found: Array<number> = []
          for (let seq = first; seq <= last; seq += Math.ceil((last - first) / 12)) {
            const { end } = yield* planned({ _tag: "Sequence", seq })
            expect(end.seq).toBeLessThanOrEqual(seq)
            expect(end.seq).toBeGreaterThanOrEqual(Math.max(0, ...found, ...backups.filter((one) => one <= seq)))
            found.push(end.seq)
          }
          const latest = yield* planned({ _tag: "Latest" })
          expect(latest.end.seq).toBe(last)
          return found
        })
        const before = yield* Effect.provide(ends, store)
        const names = yield* Effect.provide(manifestNames(), store)
        const later = (names.at(-1)?.madeAt ?? 0) + 30 * 86_400_000
        const { backups: removed } = yield* Effect.provide(prune(later, 400), store)
        expect(removed).toBeGreaterThan(backups.length / 2)
        expect(yield* Effect.provide(ends, store)).toEqual(before)
        const beyond: ReadonlyArray<RestoreTarget> = [
          ...(first > 0 ? [{ _tag: "Sequence", seq: first - 1 } as const] : []),
          { _tag: "Sequence", seq: last + 1 },
          { _tag: "Time", at: 0 },
          { _tag: "Time", at: Number.MAX_SAFE_INTEGER }
        ]
        for (const target of beyond) {
          const { message } = yield* Effect.flip(Effect.provide(planned(target), store))
          expect(message).toContain("The backups of")
        }
      }),
    120_000
  )
})
