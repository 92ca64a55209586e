import { describe, expect } from "bun:test"
import { Effect, Exit } from "effect"
import { JournalUnavailable, StaleVersion } from "../../../engine/actor/Journal.ts"
import { MAX_ATTEMPTS } from "../../../engine/actor/StaleRetry.ts"
import { InsufficientFunds, type LedgerError } from "../../../engine/ledger/Book.ts"
import { custodyOf, mint, walletOf } from "../../../engine/ledger/Funding.ts"
import { decodeFundsEvent } from "../../../engine/ledger/FundsEvent.ts"
import { fromUnits } from "../../../engine/money/Amount.ts"
import type { PlatformEvent } from "../../../engine/replay/PlatformEvent.ts"
import { Unavailable } from "../../../src/database/DatabaseError.ts"
import { dieOnRefusal, retryStale, tellEntry, writeEntry } from "../../../src/database/EntryWriting.ts"
import { UnitOfWork } from "../../../src/database/UnitOfWork.ts"
import { itEffect } from "../../lib/Effects.ts"
import { MemoryJournal } from "../../lib/MemoryJournal.ts"

const event = { _tag: "AllowanceGranted", at: 1, traderId: "one", amount: fromUnits(1n) } as const

const minted = mint({ id: "1", owner: "one", asset: "USD", amount: fromUnits(5n) })

const taken = { ...minted, id: "2", from: walletOf("one", "USD"), to: custodyOf("USD"), amount: fromUnits(6n) }

type Write = typeof writeEntry

/** Without a fiber until the entry is written. */
const telling: Write = (written) =>
  Effect.flatMap(UnitOfWork, (journal) =>
    Effect.callback((resume) => tellEntry(journal, written, (recorded) => resume(recorded())))
  )

const working = (writing: Write = writeEntry) => {
  const journal = new MemoryJournal<PlatformEvent>(decodeFundsEvent)
  const write = (version: number | null, command = minted) =>
    writing({ stream: "s", version, entry: { commands: [command], event } }).pipe(
      Effect.provideService(UnitOfWork, {
        append: journal.append,
        tell: journal.tell,
        onCommit: () => Effect.void,
        onAppended: () => Effect.void,
        lastSeq: Effect.succeed(0),
        isCertain: () => true,
        writes: Effect.void
      })
    )
  return { journal, write }
}

const journalThat = (error: JournalUnavailable): UnitOfWork["Service"] => ({
  append: () => Effect.fail(error),
  tell: (_, give) => give(Exit.fail(error)),
  onCommit: () => Effect.void,
  onAppended: () => Effect.void,
  lastSeq: Effect.succeed(0),
  isCertain: () => true,
  writes: Effect.void
})

const waysOfWriting = (way: string, writing: Write) => {
  itEffect(`answers ${way} what was recorded`, () =>
    Effect.gen(function* () {
      const { write } = working(writing)
      expect(yield* write(0)).toMatchObject({ stream: "s", version: 1, event })
    })
  )

  itEffect(`fails ${way} with another version, and with what the ledger says`, () =>
    Effect.gen(function* () {
      const { journal, write } = working(writing)
      yield* write(0)
      expect(yield* Effect.flip(write(0, taken))).toBeInstanceOf(StaleVersion)
      expect(yield* Effect.flip(write(1, taken))).toMatchObject({
        _tag: "InsufficientFunds",
        available: 5n,
        needed: 6n
      })
      expect(journal.recorded.length).toBe(1)
    })
  )

  itEffect(`says ${way} whether nothing of it was written where the journal cannot write`, () =>
    Effect.gen(function* () {
      const failed = (error: JournalUnavailable) =>
        writing({ stream: "s", version: 0, entry: { commands: [], event } }).pipe(
          Effect.provideService(UnitOfWork, journalThat(error)),
          Effect.flip
        )
      const unwritten = yield* failed(new JournalUnavailable({ reason: "full", isUnwritten: true }))
      expect(unwritten).toEqual(new Unavailable({ reason: "full", isUnwritten: true }))
      expect(yield* failed(new JournalUnavailable({ reason: "lost" }))).toEqual(new Unavailable({ reason: "lost" }))
    })
  )
}

describe("writing one entry", () => {
  waysOfWriting("in a fiber", writeEntry)
  waysOfWriting("without a fiber", telling)

  itEffect("decides anew while others come first, but not for ever", () =>
    Effect.gen(function* () {
      const stale = new StaleVersion({ stream: "s", expected: 0, actual: 1 })
      const attempts = (failures: number) => {
        let made = 0
        return retryStale(Effect.suspend(() => (made++ < failures ? Effect.fail(stale) : Effect.succeed(made))))
      }
      expect(yield* attempts(0)).toBe(1)
      expect(yield* attempts(MAX_ATTEMPTS - 1)).toBe(MAX_ATTEMPTS)
      expect(yield* Effect.flip(attempts(MAX_ATTEMPTS))).toMatchObject({ _tag: "Unavailable", isUnwritten: true })
    })
  )

  itEffect("does not decide anew after another failure", () =>
    Effect.gen(function* () {
      const failures: Array<string> = []
      const attempt = Effect.suspend(() => Effect.fail(`failure ${failures.push("once")}`))
      expect(yield* Effect.flip(retryStale(attempt))).toBe("failure 1")
    })
  )

  itEffect("makes a defect of a refusal alone", () =>
    Effect.gen(function* () {
      const refused: LedgerError = new InsufficientFunds({
        account: walletOf("one", "USD"),
        available: fromUnits(0n),
        needed: fromUnits(1n)
      })
      expect(Exit.hasDies(yield* Effect.exit(dieOnRefusal(Effect.fail(refused))))).toBe(true)
      expect(yield* Effect.flip(dieOnRefusal(Effect.fail("other")))).toBe("other")
    })
  )
})
