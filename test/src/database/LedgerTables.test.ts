import { describe, expect } from "bun:test"
import { Effect, Layer, Result } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import fc from "fast-check"
import { settleGroup } from "../../../engine/actor/CommitGroup.ts"
import { GENESIS } from "../../../engine/actor/EventChain.ts"
import type { Batch } from "../../../engine/actor/Journal.ts"
import { WriterMemory } from "../../../engine/journal/WriterMemory.ts"
import { accountId, PLATFORM } from "../../../engine/ledger/Account.ts"
import { Book } from "../../../engine/ledger/Book.ts"
import type { Command } from "../../../engine/ledger/Command.ts"
import { fromUnits } from "../../../engine/money/Amount.ts"
import type { PlatformEvent } from "../../../engine/replay/PlatformEvent.ts"
import { link } from "../../../src/database/EventChain.ts"
import { newAccountsOf } from "../../../src/database/GroupWriter.ts"
import { type AppendedGroup, LedgerTables } from "../../../src/database/LedgerTables.ts"
import { ProjectionSession } from "../../../src/database/WriteSession.ts"
import { WriterTerm } from "../../../src/database/WriterTerm.ts"
import { withLayer } from "../../lib/Effects.ts"
import { property } from "../../lib/Property.ts"
import * as TestDatabase from "../../lib/TestDatabase.ts"

const it = withLayer(
  Layer.mergeAll(LedgerTables.layer, ProjectionSession.layer).pipe(Layer.provideMerge(TestDatabase.layer))
)

const OWNERS = ["ann", "bob", "cat"] as const
const custody = accountId(PLATFORM, "USD", "custody")
const vault = accountId(PLATFORM, "USD", "vault")
const wallet = (owner: number) => accountId(OWNERS[owner] ?? "ann", "USD", "wallet")

/** What an entry does: money comes in, is held, and a hold of an earlier entry ends. */
interface Drawn {
  readonly owner: number
  readonly stream: number
  readonly act: "mint" | "hold" | "capture" | "release" | "basket" | "take" | "close" | "cover"
  readonly of: number
}

const drawn: fc.Arbitrary<Drawn> = fc.record({
  owner: fc.nat(2),
  stream: fc.nat(3),
  act: fc.constantFrom("mint", "mint", "hold", "hold", "capture", "release", "basket", "take", "close", "cover"),
  of: fc.nat(9)
})

const commandsOf = ({ act, of, owner }: Drawn, id: string, placed: ReadonlyArray<string>): ReadonlyArray<Command> => {
  const account = wallet(owner)
  const other = placed[of % Math.max(1, placed.length)] ?? "none"
  const amount = fromUnits(3n)
  switch (act) {
    case "mint":
      return [{ _tag: "Transfer", id, from: custody, to: account, amount: fromUnits(10n), purpose: "mint" }]
    case "hold":
      return [{ _tag: "Hold", id, account, into: vault, amount }]
    case "capture":
      return [{ _tag: "Capture", hold: other, to: vault, amount: fromUnits(2n), purpose: "settlement" }]
    case "release":
      return [{ _tag: "Release", hold: other }]
    case "basket":
      return [{ _tag: "HoldBasket", id, parts: [{ account, amount }] }]
    case "take":
      return [{ _tag: "TakeBasket", basket: other, purpose: "withdrawal" }]
    case "close":
      return [{ _tag: of % 2 === 0 ? "Close" : "Open", account }]
    case "cover":
      return [{ _tag: "Cover", id, sources: [account], to: vault, amount, purpose: "credits" }]
  }
}

const event = (fundId: string): PlatformEvent => ({
  _tag: "FundsMinted",
  at: 1,
  fundId,
  owner: "someone",
  asset: "USD",
  amount: fromUnits(1n),
  externalReference: null
})

/** Groups as a writer that forgets nothing makes them. */
const groupsOf = (plan: ReadonlyArray<ReadonlyArray<Drawn>>): ReadonlyArray<AppendedGroup> => {
  const memory = new WriterMemory()
  const placed: Array<string> = []
  let seq = 0
  return plan.map((entries) => {
    const batches = entries.map((one): Batch<PlatformEvent> => {
      const id = `${one.act}${placed.length}`
      const commands = commandsOf(one, id, placed)
      placed.push(id)
      return {
        stream: `s/${one.stream}`,
        version: null,
        claims: [`name/${id}`],
        entries: [{ commands, event: event(id), idempotency: { key: id, fingerprint: "f" } }]
      }
    })
    const pending = placed.flatMap((id) => memory.hold(id) ?? [])
    const baskets = placed.flatMap((id) => memory.basket(id) ?? [])
    const settled = settleGroup(
      batches,
      {
        book: new Book([], new Map(pending.map((hold) => [hold.id, hold])), baskets, (id) => memory.account(id)),
        heads: { get: (stream) => memory.head(stream) }
      },
      seq,
      link
    )
    expect(settled.results.every(Result.isSuccess)).toBe(true)
    seq += settled.recorded.length
    const newAccounts = newAccountsOf(settled, memory)
    memory.remember(settled, seq)
    const answers = settled.answers.map(({ fingerprint, key, recorded }) => ({
      seq: recorded.seq,
      key,
      fingerprint,
      status: 200,
      body: "{}"
    }))
    return { settled, answers, newAccounts, end: { seq, hash: GENESIS, recordedAt: seq } }
  })
}

const TABLES = [
  "ledger_transfers",
  "ledger_receivables",
  "ledger_holds",
  "ledger_baskets",
  "claims",
  "idempotency_keys",
  "events",
  "event_streams",
  "ledger_accounts"
] as const

/** Writes groups by so many transactions, and answers all rows. */
const written = (cycles: ReadonlyArray<ReadonlyArray<AppendedGroup>>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const tables = yield* LedgerTables
    const { transaction } = yield* ProjectionSession
    for (const table of TABLES) yield* sql.unsafe(`DELETE FROM ${table}`)
    for (const groups of cycles) yield* transaction({ statements: tables.write(groups) })
    const rows = yield* Effect.forEach(TABLES, (table) =>
      sql.unsafe<{ readonly row: string }>(`SELECT to_jsonb(t)::text AS row FROM ${table} t`)
    )
    return rows.map((all) => all.map(({ row }) => row).toSorted())
  })

describe("the ledger's tables", () => {
  it("have the same rows whether groups are written one by one or together, and whatever is in them", () =>
    Effect.gen(function* () {
      const runPromise = Effect.runPromiseWith(yield* Effect.context<SqlClient | LedgerTables | ProjectionSession>())
      const plan = fc.array(fc.array(drawn, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 8 })
      yield* Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(plan, (plan) =>
            runPromise(
              Effect.gen(function* () {
                const groups = groupsOf(plan)
                const together = yield* written([groups])
                expect(together).toEqual(yield* written(groups.map((group) => [group])))
                expect(together[TABLES.indexOf("events")]).toHaveLength(
                  groups.flatMap(({ settled }) => settled.recorded).length
                )
              })
            )
          ),
          property(10)
        )
      )
    }))

  it("move from where they were alone, and by the last writer alone", () =>
    Effect.gen(function* () {
      const tables = yield* LedgerTables
      const term = yield* WriterTerm
      const { transaction } = yield* ProjectionSession
      const from = yield* tables.projected
      const move = (from: number, to: number, of = term.current()) =>
        Effect.map(
          Effect.exit(transaction({ condition: tables.advance(from, to, of), statements: [] })),
          ({ _tag }) => _tag
        )
      expect(yield* move(from, from + 5)).toBe("Success")
      expect([yield* move(from, from + 7), yield* move(from + 5, from + 7, term.current() - 1n)]).toEqual([
        "Failure",
        "Failure"
      ])
      expect(yield* tables.projected).toBe(from + 5)
    }))
})
