import { describe, expect } from "bun:test"
import { Effect, Exit, Fiber } from "effect"
import type { Entry } from "../../../engine/actor/Journal.ts"
import type { FundsEvent } from "../../../engine/ledger/FundsEvent.ts"
import { mint } from "../../../engine/ledger/Funding.ts"
import { type Commit, type Fate, MemoryJournal } from "../../../engine/simulation/MemoryJournal.ts"
import { usd } from "../../lib/ArenaArbitraries.ts"
import { itEffect } from "../../lib/Effects.ts"
import { environment } from "../../lib/Simulations.ts"

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

const spending: Entry<FundsEvent> = {
  ...minting("x"),
  commands: [{ _tag: "Hold", id: "h", account: "usr_2/USD/wallet", into: "platform/USD/vault", amount: usd("1") }]
}

const WALLET = "usr_1/USD/wallet"

/** A journal whose writer runs when it is told to. */
const journalOf = (fates: Array<Fate> = []) => {
  const writes: Array<() => void> = []
  const commits: Array<Commit<FundsEvent>> = []
  const journal = new MemoryJournal<FundsEvent>({
    link: environment.hashing.link,
    defer: (write) => void writes.push(write),
    fate: () => fates.shift() ?? "written",
    onCommit: (commit) => void commits.push(commit)
  })
  const write = Effect.sync(() => {
    while (writes.length > 0) writes.shift()?.()
  })
  const append = (entry: Entry<FundsEvent>, stream = "fund/1", version: number | null = null) =>
    Effect.forkChild(journal.append({ stream, version, entries: [entry] }), { startImmediately: true })
  return { journal, write, append, commits }
}

describe("MemoryJournal", () => {
  itEffect("keeps what the ledger took, and nothing of what it refused", () =>
    Effect.gen(function* () {
      const { journal, write, append } = journalOf()
      yield* append(minting("a"))
      yield* append({ ...spending, commands: [...minting("b").commands, ...spending.commands] })
      yield* append({ ...spending, commands: spending.commands.map((command) => ({ ...command, account: WALLET })) })
      yield* write
      expect(journal.account(WALLET)).toMatchObject({ balance: usd("5"), held: usd("1") })
      expect(journal.holds.get("h")).toMatchObject({ account: WALLET, state: { _tag: "Pending" } })
      expect([...journal.accounts.keys()].toSorted()).toEqual(["platform/USD/custody", WALLET])
    })
  )

  itEffect("merges what waits into one transaction, and answers each after it", () =>
    Effect.gen(function* () {
      const { journal, write, append, commits } = journalOf()
      yield* append(minting("a"))
      const others = [yield* append(minting("b")), yield* append(spending, "fund/2")]
      expect(journal.events.length).toBe(0)
      yield* write
      const answers = yield* Effect.forEach(others, Fiber.join)
      expect(answers.map(([outcome]) => outcome?._tag)).toEqual(["Accepted", "Refused"])
      expect(journal.events.map(({ seq, version }) => [seq, version])).toEqual([
        [1, 1],
        [2, 2]
      ])
      expect(commits.length).toBe(1)
      expect(journal.account("usr_1/USD/wallet").balance).toBe(usd("10"))
      expect(journal.stream("fund/1").length).toBe(2)
    })
  )

  itEffect("continues the chain over transactions", () =>
    Effect.gen(function* () {
      const { journal, write, append } = journalOf()
      yield* append(minting("a"))
      yield* write
      yield* append(minting("b"))
      yield* write
      const [first, second] = journal.events
      expect(second?.hashBytes).toEqual(environment.hashing.link(first!.hashBytes, second!.data))
      expect(journal.commits).toBe(2)
    })
  )

  itEffect("refuses a batch on another version", () =>
    Effect.gen(function* () {
      const { write, append } = journalOf()
      const stale = yield* append(minting("a"), "fund/1", 3)
      yield* write
      expect(yield* Effect.flip(Fiber.join(stale))).toMatchObject({ _tag: "StaleVersion", expected: 3, actual: 0 })
    })
  )

  itEffect("fails before, or loses the answer after the commit", () =>
    Effect.gen(function* () {
      const { journal, write, append } = journalOf(["failed", "unanswered"])
      const before = yield* append(minting("a"))
      yield* write
      expect(Exit.isFailure(yield* Fiber.await(before))).toBe(true)
      expect(journal.events.length).toBe(0)
      const after = yield* append(minting("b", "key"))
      yield* write
      expect(yield* Effect.flip(Fiber.join(after))).toMatchObject({ _tag: "JournalUnavailable" })
      expect(journal.answers.get("key")?.seq).toBe(1)
    })
  )

  itEffect("forgets what waits when the process ends", () =>
    Effect.gen(function* () {
      const { journal, write, append } = journalOf()
      yield* append(minting("a"))
      journal.forget()
      yield* write
      expect(journal.events.length).toBe(0)
    })
  )
})
