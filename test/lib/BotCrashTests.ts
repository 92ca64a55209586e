import { PgConnection } from "@effect/sql-pg"
import { expect } from "bun:test"
import { Effect, Redacted } from "effect"
import { dirname } from "node:path"
import { replayLog } from "../../src/cli/Replaying.ts"
import { itLive } from "./Effects.ts"
import { checkLedgerToNow, leftBehind } from "./LedgerCheck.ts"
import { post, send } from "./Requests.ts"
import { NO_FINDINGS } from "./RecordedState.ts"
import { embeddedDatabase, postgresPid, type ServerProcess, startServer } from "./ServerProcess.ts"
import { temporaryFolder } from "./TemporaryFolder.ts"

const LIMIT = 240_000

const BOTS = "/api/arena/machine-traders"

const ADMIN = { ADMIN_EMAIL: "admin@example.com", ADMIN_PASSWORD: "long enough for an administrator" }

/** Orders come and go while the server is killed again and again, and there are prices for bots soon. */
const ARENA = {
  ...ADMIN,
  ARENA_SLOT_SECONDS: "3",
  ARENA_COMMIT_WINDOW_SECONDS: "6",
  ARENA_SETTLEMENT_DELAY_SECONDS: "2",
  ARENA_PRICE_INTERVAL_SECONDS: "1"
}

/** Orders that are still open for the next server when one is killed. */
const LONG_ARENA = { ...ARENA, ARENA_SLOT_SECONDS: "5", ARENA_COMMIT_WINDOW_SECONDS: "120" }

/** So many milliseconds at least. */
const LONG_OPEN = 80_000

/** The advisory lock that commitments of decisions wait for while somebody has it. */
const HELD = 3_381

const HOLDING = [
  `CREATE FUNCTION wait_while_held() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN PERFORM pg_advisory_xact_lock_shared(${HELD}); RETURN NEW; END $$`,
  `CREATE TRIGGER wait_while_held BEFORE INSERT ON journal FOR EACH ROW
    WHEN (NEW.body LIKE '%"_tag":"CommitmentSubmitted"%"decisionId":"dec_%') EXECUTE FUNCTION wait_while_held()`
] as const

/** Bids wherever there is something to earn at all. */
const STRATEGY = {
  riskPreset: "custom",
  riskLevel: 1,
  maxLossPct: 100,
  minRoiPct: 0.000001,
  maxCollateralPerTrade: 1
} as const

/** What is asked of each bot, one after the other, and what it is then. */
const LIVES = [
  { acts: ["start"], status: "active" },
  { acts: ["start"], status: "active" },
  { acts: ["start", "pause", "resume"], status: "active" },
  { acts: ["start", "pause"], status: "paused" },
  { acts: [], status: "inactive" },
  { acts: ["start", "terminate"], status: "terminated" }
] as const

interface Call {
  readonly method?: string
  readonly token: string
  readonly body?: unknown
}

const ask = Effect.fnUntraced(function* <A>({ url }: ServerProcess, path: string, { body, method, token }: Call) {
  const reading = { headers: { authorization: `Bearer ${token}` } }
  const init = method === undefined ? reading : { ...post(body ?? {}, {}, token), method }
  const answer = yield* send(url + path, init)
  if (answer.status >= 300) return yield* Effect.die(new Error(`${path} answered ${answer.status}: ${answer.text}`))
  return answer.json as A
})

const signedIn = (server: ServerProcess, email: string, password: string): Effect.Effect<string> =>
  Effect.map(
    ask<{ readonly access_token: string }>(server, "/api/v1/auth/login", {
      method: "POST",
      token: "",
      body: { email, password }
    }),
    ({ access_token: token }) => token
  )

interface Actors {
  readonly token: string
  /** Each bot's id, and what it is. */
  readonly statuses: ReadonlyMap<string, string>
}

/** Makes the demo's person an operator of bots, each in another state. */
const actors = Effect.fnUntraced(function* (server: ServerProcess): Effect.fn.Return<Actors> {
  const admin = yield* signedIn(server, ADMIN.ADMIN_EMAIL, ADMIN.ADMIN_PASSWORD)
  const token = yield* signedIn(server, server.person.name, server.person.secret)
  const me = yield* ask<{ readonly company_id: string }>(server, "/api/v1/users/me", { token })
  const put = { method: "PUT", token: admin, body: { plan: "enterprise" } }
  yield* ask(server, `/v1/companies/${me.company_id}/plan`, put)
  yield* ask(server, "/api/v1/users/me", { method: "PUT", token, body: { wallet_address: `0x${"9".repeat(40)}` } })
  const statuses = new Map<string, string>()
  for (const [index, { acts, status }] of LIVES.entries()) {
    const body = {
      name: `Bot ${index}`,
      capabilities: ["fx", "commodity", "gpu"],
      strategy: STRATEGY,
      collateral_amount: 100,
      credit_budget: 10_000
    }
    const { bot: made } = yield* ask<{ readonly bot: { readonly bot_id: string } }>(server, BOTS, {
      method: "POST",
      token,
      body
    })
    for (const act of acts) yield* ask(server, `${BOTS}/${made.bot_id}/${act}`, { method: "POST", token })
    statuses.set(made.bot_id, status)
  }
  return { token, statuses }
})

interface Found {
  /** Decisions to commit. */
  readonly bids: number
  readonly commitments: number
}

/** Looks for what must not be, in the database alone: the program may be dead. */
const look = Effect.fnUntraced(function* (dataDir: string, { statuses }: Actors) {
  const database = embeddedDatabase(dataDir)
  const session = yield* PgConnection.make(database)
  const rows = <A>(text: string) =>
    Effect.map(session.query(text, [], false), ({ rows: found }) => found as unknown as A)
  const bots =
    yield* rows<ReadonlyArray<{ readonly id: string; readonly status: string }>>("SELECT id, status FROM bots")
  expect(new Map(bots.map(({ id, status }) => [id, status]))).toEqual(new Map(statuses))
  const twice = `SELECT data::json -> 'commitment' ->> 'decisionId' AS decision FROM events
    WHERE type = 'CommitmentSubmitted' AND data::json -> 'commitment' ->> 'decisionId' IS NOT NULL
    GROUP BY 1 HAVING count(*) > 1`
  expect(yield* rows(twice)).toEqual([])
  const undecided = `SELECT c.id FROM arena_commitments c WHERE c.bot_id IS NOT NULL AND NOT EXISTS
    (SELECT FROM bot_decisions d WHERE d.bot_id = c.bot_id AND d.order_id = c.order_id AND NOT d.dry_run
      AND d.code = 'commit' AND d.event_seq < c.event_seq)`
  expect(yield* rows(undecided)).toEqual([])
  const uncharged = `SELECT id FROM bot_decisions WHERE charge_id IS DISTINCT FROM id OR free + paid = 0`
  expect(yield* rows(uncharged)).toEqual([])
  const [counted = { bids: 0, commitments: 0 }] = yield* rows<ReadonlyArray<Found>>(`
    SELECT (SELECT count(*) FROM bot_decisions WHERE code = 'commit')::integer AS bids,
      (SELECT count(*) FROM arena_commitments WHERE bot_id IS NOT NULL)::integer AS commitments`)
  return counted
}, Effect.scoped)

/** The whole log makes what the tables say: balances, credits, bots and decisions to the unit. */
const checkReplay = Effect.fnUntraced(function* (dataDir: string) {
  const { path, username, database } = embeddedDatabase(dataDir)
  const url = `postgresql://${username}@localhost/${database}?host=${encodeURIComponent(dirname(path))}`
  const { differences, finding } = yield* Effect.orDie(replayLog({ _tag: "Database", url: Redacted.make(url) }))
  expect<unknown>({ differences, finding }).toEqual(NO_FINDINGS)
  expect((yield* checkLedgerToNow(embeddedDatabase(dataDir))).violations).toEqual([])
})

/** Waits until bots have decided to commit once more. */
const bidAgain = (dataDir: string, actors: Actors, than: number) =>
  Effect.gen(function* () {
    const until = performance.now() + LIMIT / 4
    for (;;) {
      const found = yield* look(dataDir, actors)
      if (found.bids > than) return found
      if (performance.now() > until) return yield* Effect.die(new Error("no bot decided to commit"))
      yield* Effect.sleep(50)
    }
  })

/** Kills a server whose bots are running, again and again on one database. */
export const killedWithBots = (kills: number): void =>
  itLive(
    `has its bots as they were, and none commits twice for one decision, ${kills} times in a row`,
    () =>
      Effect.gen(function* () {
        const dataDir = yield* temporaryFolder
        let known: Actors | undefined
        let before: Found = { bids: 0, commitments: 0 }

        const round = Effect.fnUntraced(function* (number: number) {
          const server = yield* startServer({ ...ARENA, DATA_DIR: dataDir })
          expect(yield* Effect.orDie(leftBehind(embeddedDatabase(dataDir)))).toBe(0)
          known ??= yield* actors(server)
          const found = yield* bidAgain(dataDir, known, before.bids)
          expect(found.commitments).toBeGreaterThanOrEqual(before.commitments)
          before = found
          if (number === kills) return
          // Each round at another moment of what follows from a decision.
          yield* Effect.sleep(7 * number)
          if (number % 3 === 2) process.kill(postgresPid(dataDir), "SIGKILL")
          server.send("SIGKILL")
          expect((yield* server.ended).signal).toBe("SIGKILL")
        })

        for (let number = 0; number < kills; number++) yield* Effect.scoped(round(number))
        yield* round(kills)
        expect(before.commitments).toBeGreaterThan(0)
        yield* checkReplay(dataDir)
      }),
    LIMIT
  )

interface Bid {
  readonly id: string
  /** Its commitments. */
  readonly times: number
}

type Query = (text: string) => Effect.Effect<unknown>

const withSession = <A, E>(dataDir: string, use: (query: Query) => Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.scoped(
    Effect.flatMap(Effect.orDie(PgConnection.make(embeddedDatabase(dataDir))), (session) =>
      use((text) => Effect.orDie(Effect.map(session.query(text, [], false), ({ rows }) => rows)))
    )
  )

/** Waits until bids of active bots are as they are wanted, of orders that are open for so many milliseconds more. */
const bidsWhere = Effect.fnUntraced(function* (
  query: Query,
  open: number,
  what: string,
  wanted: (bids: ReadonlyArray<Bid>) => boolean
) {
  const until = performance.now() + LIMIT / 4
  for (;;) {
    const bids = (yield* query(`
      SELECT d.id, (SELECT count(*)::integer FROM events WHERE type = 'CommitmentSubmitted'
        AND data::json -> 'commitment' ->> 'decisionId' = d.id) AS times
      FROM bot_decisions d JOIN arena_orders o ON o.id = d.order_id JOIN bots b ON b.id = d.bot_id
      WHERE d.code = 'commit' AND NOT d.dry_run AND b.status = 'active'
        AND o.expiry_at > extract(epoch FROM clock_timestamp()) * 1000 + ${open}`)) as ReadonlyArray<Bid>
    if (wanted(bids)) return bids
    if (performance.now() > until) return yield* Effect.die(new Error(`${what}: ${JSON.stringify(bids)}`))
    yield* Effect.sleep(50)
  }
})

/** Keeps every commitment of a decision from being written until the session ends, and waits for a decision. */
const decidedOnly = Effect.fnUntraced(function* (dataDir: string, server: ServerProcess) {
  const made = yield* actors(server)
  return yield* withSession(dataDir, (query) =>
    Effect.gen(function* () {
      yield* query(`SELECT pg_advisory_lock(${HELD})`)
      yield* Effect.forEach(HOLDING, query, { discard: true })
      const bids = yield* bidsWhere(query, LONG_OPEN, "no bot decided to commit", (some) =>
        some.some(({ times }) => times === 0)
      )
      server.send("SIGKILL")
      expect((yield* server.ended).signal).toBe("SIGKILL")
      return { made, left: bids.filter(({ times }) => times === 0).map(({ id }) => id) }
    })
  )
})

/** Kills a server between what its bots decided and their commitments, and looks what the next one makes of it. */
export const killedBetween = (): void =>
  itLive(
    "sends what its bots decided and did not commit again, once",
    () =>
      Effect.gen(function* () {
        const dataDir = yield* temporaryFolder
        const start = startServer({ ...LONG_ARENA, DATA_DIR: dataDir })
        const { left, made } = yield* Effect.scoped(Effect.flatMap(start, (server) => decidedOnly(dataDir, server)))
        expect(left.length).toBeGreaterThan(0)
        yield* Effect.gen(function* () {
          yield* start
          yield* withSession(dataDir, (query) =>
            bidsWhere(query, 0, `not all of ${left.join()} were sent again`, (bids) =>
              left.every((id) => bids.some((bid) => bid.id === id && bid.times > 0))
            )
          )
          // What comes after them is decided and committed once as well.
          const { bids } = yield* look(dataDir, made)
          yield* bidAgain(dataDir, made, bids)
          yield* checkReplay(dataDir)
        }).pipe(Effect.scoped)
      }),
    LIMIT
  )
