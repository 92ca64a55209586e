import { describe, expect } from "bun:test"
import { Duration, Effect, Fiber } from "effect"
import type { Entry } from "../../../engine/actor/Journal.ts"
import { mint } from "../../../engine/ledger/Funding.ts"
import type { FundsEvent } from "../../../engine/ledger/FundsEvent.ts"
import { type Fate, KEPT } from "../../../engine/simulation/CallFate.ts"
import { CLIENT_PATIENCE, type Commit } from "../../../engine/simulation/SimulatedJournal.ts"
import { usd } from "../../lib/ArenaArbitraries.ts"
import { itEffect } from "../../lib/Effects.ts"
import { runningJournal } from "../../lib/RunningJournal.ts"

const WALLET = "usr_1/USD/wallet"

const minting = (id: string, key?: string): Entry<FundsEvent> => ({
  commands: [mint({ id, owner: "usr_1", asset: "USD", amount: usd("5") })],
  event: {
    _tag: "FundsMinted",
    at: 0,
    fundId: id,
    owner: "usr_1",
    asset: "USD",
    amount: usd("5"),
    externalReference: null
  },
  ...(key !== undefined && { idempotency: { key, fingerprint: "f" } })
})

const holding = (account: string): Entry<FundsEvent> => ({
  ...minting("x"),
  commands: [{ _tag: "Hold", id: "h", account: account as never, into: "platform/USD/vault", amount: usd("1") }]
})

/** A journal whose appends meet these fates, and what it was heard to say. */
const world = Effect.fnUntraced(function* (...fates: ReadonlyArray<Fate["becomes"]>) {
  const left = [...fates]
  const commits: Array<Commit> = []
  const told: Array<number> = []
  const running = yield* runningJournal({
    fateOf: ({ call }) => (call === "append" ? { ...KEPT, becomes: left.shift() ?? "done" } : KEPT),
    onCommit: (commit) => void commits.push(commit),
    onTold: (recorded) => void told.push(...recorded.map(({ seq }) => seq))
  })
  const { journal } = running
  const append = (entry: Entry<FundsEvent>, stream = "fund/1", version: number | null = null) =>
    journal.append({ stream, version, entries: [entry] })
  return { ...running, append, commits, told }
})

describe("SimulatedJournal", () => {
  itEffect("says what the ledger was asked, and keeps what it took", () =>
    Effect.gen(function* () {
      const { append, commits, journal } = yield* world()
      yield* append(minting("a"))
      const [refused] = yield* append(holding("usr_2/USD/wallet"), "fund/2")
      yield* append(holding(WALLET), "fund/3")
      expect(refused?._tag).toBe("Refused")
      expect(journal.account(WALLET)).toMatchObject({ balance: usd("5"), held: usd("1") })
      expect(commits.flatMap(({ asked }) => asked.map(({ isAccepted }) => isAccepted))).toEqual([true, false, true])
      yield* journal.reached
      expect(journal.isProjected).toBe(true)
      expect(journal.tables.holds.get("h")?.value).toMatchObject({ account: WALLET, state: { _tag: "Pending" } })
      expect(journal.stream("fund/3").map(({ seq }) => seq)).toEqual([2])
    })
  )

  itEffect("refuses a batch on another version", () =>
    Effect.gen(function* () {
      const { append } = yield* world()
      expect(yield* Effect.flip(append(minting("a"), "fund/1", 3))).toMatchObject({
        _tag: "StaleVersion",
        expected: 3,
        actual: 0
      })
    })
  )

  itEffect("writes again what was lost, and finds what was written and not answered", () =>
    Effect.gen(function* () {
      const { append, journal, told } = yield* world("lost", "done", "unanswered")
      expect(yield* append(minting("a"))).toMatchObject([{ _tag: "Accepted", recorded: { seq: 1 } }])
      expect(yield* append(minting("b", "key"))).toMatchObject([{ _tag: "Accepted", recorded: { seq: 2 } }])
      expect([journal.answers.get("key")?.seq, journal.commits, told]).toEqual([2, 2, [1, 2]])
    })
  )

  itEffect("gives up what was answered once nobody asks for it any more", () =>
    Effect.gen(function* () {
      const { append, clock, journal } = yield* world()
      yield* append(minting("a", "first"))
      yield* clock.sleep(Duration.millis(CLIENT_PATIENCE - 1_000))
      yield* append(minting("b", "second"))
      expect([...journal.answers.keys()]).toEqual(["first", "second"])
      yield* clock.sleep(Duration.minutes(2))
      yield* append(minting("c", "third"))
      expect([...journal.answers.keys()]).toEqual(["second", "third"])
    })
  )

  itEffect("goes on, in another process, from what the one before left, and answers none of its callers", () =>
    Effect.gen(function* () {
      const { append, journal, problems } = yield* world()
      yield* append(minting("a"))
      const waiting = yield* Effect.forkChild(append(minting("b")), { startImmediately: true })
      journal.restart()
      yield* append(minting("c"), "fund/1")
      yield* journal.reached
      expect(waiting.pollUnsafe()).toBeUndefined()
      expect(journal.events.map(({ seq, version }) => [seq, version]).slice(0, 2)).toEqual([
        [1, 1],
        [2, 2]
      ])
      expect(problems).toEqual([])
      yield* Fiber.interrupt(waiting)
    })
  )
})
