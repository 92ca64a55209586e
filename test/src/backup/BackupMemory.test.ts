import { describe, expect } from "bun:test"
import { Effect } from "effect"
import fc from "fast-check"
import { readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { PERSONAL_TABLES } from "../../../src/App.ts"
import { auditPlan } from "../../../src/backup/BackupAudit.ts"
import { isLookedAt } from "../../../src/backup/BackupMemory.ts"
import * as FolderBackups from "../../../src/backup/FolderBackups.ts"
import { planRestore } from "../../../src/backup/RestorePlan.ts"
import { usd } from "../../lib/ArenaArbitraries.ts"
import { backingUp, backUp } from "../../lib/BackupDrill.ts"
import { itLive } from "../../lib/Effects.ts"
import { PlayedLog } from "../../lib/PlayedLog.ts"
import { temporaryFolder } from "../../lib/TemporaryFolder.ts"
import { TestServer } from "../../lib/TestServer.ts"

const BEGIN = `INSERT INTO sessions (hash, user_id, token_epoch, created_at, last_seen_at, expires_at)
  SELECT sha256(gen_random_uuid()::text::bytea), id, 0, 1, 1, 2 FROM users ORDER BY random() LIMIT 1`
const END = "DELETE FROM sessions WHERE hash = (SELECT min(hash) FROM sessions)"

/** Rows of a thousand characters each, so that a few thousand of them are several chunks. */
const GROW = `INSERT INTO audit_log (at, actor_id, act, subject_id, after)
  SELECT number, 'grown', 'test.grown', 'nobody', jsonb_build_object('text', repeat(md5(random()::text), 30))
  FROM generate_series(1, 1500) AS number`

/** What somebody may remove from a folder of backups by hand. */
const LOSSES: ReadonlyArray<(folder: string) => void> = [
  (folder) => rmSync(join(folder, "backups", readdirSync(join(folder, "backups")).toSorted().at(-1) ?? "")),
  (folder) => {
    const names = readdirSync(join(folder, "backups"))
    for (const name of names.filter((one) => one.endsWith("-full.json"))) rmSync(join(folder, "backups", name))
  },
  (folder) => rmSync(folder, { recursive: true })
]

/** What may happen between two backups of one process. */
const actsOn = (log: PlayedLog, folder: string) => ({
  nothing: Effect.void,
  user: Effect.suspend(() => log.server.user()),
  begin: log.sql(BEGIN),
  end: log.sql(END),
  swap: Effect.andThen(log.sql(END), log.sql(BEGIN)),
  rewrite: log.sql("UPDATE sessions SET last_seen_at = last_seen_at"),
  grow: log.sql(GROW),
  trim: log.sql("DELETE FROM audit_log WHERE id < (SELECT min(id) + 100 FROM audit_log)"),
  poke: log.sql(`UPDATE audit_log SET at = at + 1
    WHERE id = (SELECT id FROM audit_log OFFSET floor(random() * (SELECT count(*) - 1 FROM audit_log))::int LIMIT 1)`),
  forget: log.sql(`
    INSERT INTO erasures (id, company_id, at, erased_by, recorded)
    SELECT id, company_id, 1, 'operator', true FROM users
    WHERE id NOT IN (SELECT id FROM erasures) AND role <> 'admin' ORDER BY id LIMIT 1`),
  "lose keys": Effect.sync(() => {
    const [name = ""] = readdirSync(join(folder, "keys"))
    const [file = ""] = readdirSync(join(folder, "keys", name))
    rmSync(join(folder, "keys", name, file))
  }),
  "back up elsewhere": Effect.andThen(
    Effect.suspend(() => log.server.user()),
    backUp(log, folder)
  )
})

/** The end of what a restore of all of it would make, whose files are as they were written. */
const restorable = (folder: string) =>
  Effect.gen(function* () {
    const plan = yield* planRestore({ _tag: "Latest" })
    return (yield* auditPlan(plan)).end.seq
  }).pipe(Effect.provide(FolderBackups.layer(folder)))

/** A server whose audit log has several chunks, and a process that backs it up. */
const drill = Effect.gen(function* () {
  const folder = join(yield* temporaryFolder, "backups")
  const server = yield* TestServer.make()
  const log = new PlayedLog(server)
  yield* server.user()
  yield* log.sql(BEGIN)
  for (let times = 0; times < 4; times++) yield* log.sql(GROW)
  return { folder, log, server, service: yield* backingUp(log, folder) }
})

describe("A process that backs up again and again", () => {
  itLive(
    "keeps what one keeps that remembers nothing, whatever happened meanwhile",
    () =>
      Effect.gen(function* () {
        const { folder, log, service } = yield* drill
        yield* service()
        const acts = actsOn(log, folder)
        const names = Object.keys(acts) as ReadonlyArray<keyof typeof acts>
        const order = [...names, ...fc.sample(fc.constantFrom(...names), 10)]
        for (const act of order) {
          yield* acts[act]
          yield* log.sql("SELECT 1")
          yield* service()
          const { name } = yield* backUp(log, folder)
          expect([act, order, name]).toEqual([act, order, undefined])
        }
        yield* restorable(folder)
      }).pipe(Effect.orDie),
    180_000
  )

  itLive(
    "leaves what restores all there is, whichever of its backups are removed meanwhile",
    () =>
      Effect.gen(function* () {
        const folder = join(yield* temporaryFolder, "backups")
        const server = yield* TestServer.make()
        const service = yield* backingUp(new PlayedLog(server), folder)
        const { id } = yield* server.user()
        const made = Effect.andThen(server.mint(id, usd("1")), Effect.suspend(service))
        for (const lose of LOSSES) {
          yield* made
          yield* made
          lose(folder)
          const { report } = yield* made
          expect([report.name === undefined, yield* restorable(folder)]).toEqual([false, report.seq])
        }
      }).pipe(Effect.orDie),
    60_000
  )

  itLive(
    "reads the tables that changed, and of the journal what is new",
    () =>
      Effect.gen(function* () {
        const { log, server, service } = yield* drill
        yield* service()
        const again = yield* service()
        expect(again.read).toEqual(["journal"])
        expect(again.folders.has("backups")).toBe(false)
        yield* log.sql(END)
        const ended = yield* service()
        expect([ended.read, ended.report.name === undefined]).toEqual([["sessions", "journal"], false])
        yield* server.user()
        yield* log.sql("SELECT 1")
        const { read } = yield* service()
        expect(read).toContain("users")
        expect(read).not.toContain("sessions")
        yield* log.sql("UPDATE audit_log SET at = at + 1 WHERE id = (SELECT max(id) FROM audit_log)")
        const whole = yield* log.sql<{ readonly rows: number }>("SELECT count(*)::int AS rows FROM audit_log")
        const { rows } = yield* service()
        expect(rows.get("audit_log") ?? 0).toBeGreaterThan(0)
        // Its own content says where a chunk ends, at four million characters at the latest: there are six.
        expect(rows.get("audit_log") ?? 0).toBeLessThan(whole[0]?.rows ?? 0)
        // A full backup looks at everything.
        expect((yield* service(true)).read).toEqual(expect.arrayContaining(["sessions", "users", "funds"]))
      }),
    60_000
  )
})

describe("The tables that are looked at before they are read", () => {
  itLive("are those whose rows alone say whose they are", () =>
    Effect.sync(() => {
      expect(PERSONAL_TABLES.filter((one) => isLookedAt(one.table, one)).map(({ table }) => table)).toContain(
        "sessions"
      )
      expect(isLookedAt("sessions", { table: "sessions", subject: "(SELECT id FROM users LIMIT 1)" })).toBe(false)
      expect(isLookedAt("funds", undefined)).toBe(false)
    })
  )
})
