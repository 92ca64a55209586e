import { describe, expect, it } from "bun:test"
import { Result } from "effect"
import { createHash } from "node:crypto"
import { settleGroup, type StreamHead } from "../../../engine/actor/CommitGroup.ts"
import { type ChainHash, encodeEvent, GENESIS, toHex } from "../../../engine/actor/EventChain.ts"
import type { Batch } from "../../../engine/actor/Journal.ts"
import { accountId } from "../../../engine/ledger/Account.ts"
import { Book } from "../../../engine/ledger/Book.ts"
import type { Command } from "../../../engine/ledger/Command.ts"
import { fromUnits } from "../../../engine/money/Amount.ts"

interface Noted {
  readonly note: string
}

const sha: ChainHash = (previous, data) => createHash("sha256").update(previous).update(data, "utf8").digest()

const alice = accountId("alice", "USD", "wallet")
const bob = accountId("bob", "USD", "wallet")
const vault = accountId("platform", "USD", "vault")

const book = () => new Book([{ id: alice, balance: fromUnits(100n), held: fromUnits(0n), closed: false }])

const pay = (id: string, amount: bigint): Command => ({
  _tag: "Transfer",
  id,
  from: alice,
  to: bob,
  amount: fromUnits(amount),
  purpose: "capital"
})

const hold = (id: string, amount: bigint): Command => ({
  _tag: "Hold",
  id,
  account: alice,
  into: vault,
  amount: fromUnits(amount)
})

const batch = (
  stream: string,
  version: number | null,
  ...entries: ReadonlyArray<readonly [string, ...ReadonlyArray<Command>]>
): Batch<Noted> => ({ stream, version, entries: entries.map(([note, ...commands]) => ({ commands, event: { note } })) })

const settle = (
  batches: ReadonlyArray<Batch<Noted>>,
  lastSeq = 0,
  heads: ReadonlyMap<string, StreamHead> = new Map()
) => settleGroup(batches, { book: book(), heads }, lastSeq, sha)

describe("CommitGroup", () => {
  it("numbers what the ledger takes after the last sequence, across batches, and skips what it refuses", () => {
    const group = settle([batch("a", 0, ["1", pay("p", 60n)], ["2", pay("q", 60n)], ["3"]), batch("b", 0, ["4"])], 7)
    expect(group.recorded.map(({ seq, stream, version, event }) => [seq, stream, version, event.note])).toEqual([
      [8, "a", 1, "1"],
      [9, "a", 2, "3"],
      [10, "b", 1, "4"]
    ])
    const [first] = group.results
    expect(first !== undefined && Result.isSuccess(first) && first.success.map(({ _tag }) => _tag)).toEqual([
      "Accepted",
      "Refused",
      "Accepted"
    ])
    expect(group.trace.postings).toEqual([8])
  })

  it("links each stream's events from its head", () => {
    const head = { version: 4, hash: sha(GENESIS, "before") }
    const { heads, recorded } = settle(
      [batch("a", 4, ["1"], ["2"]), batch("b", null, ["3"])],
      0,
      new Map([["a", head]])
    )
    const one = sha(head.hash, encodeEvent({ note: "1" }))
    const two = sha(one, encodeEvent({ note: "2" }))
    const three = sha(GENESIS, encodeEvent({ note: "3" }))
    expect(recorded.map(({ hash }) => hash)).toEqual([one, two, three].map(toHex))
    expect(recorded.map(({ version }) => version)).toEqual([5, 6, 1])
    expect(heads.get("a")).toEqual({ version: 6, hash: two })
    expect(heads.get("b")).toEqual({ version: 1, hash: three })
  })

  it("refuses a batch on another version than its stream's, within the group too, and writes none of it", () => {
    const group = settle([batch("a", 0, ["1"]), batch("a", 0, ["2", pay("p", 1n)]), batch("a", 1, ["3"])])
    const [first, second, third] = group.results
    expect([first, second, third].map((each) => each !== undefined && Result.isSuccess(each))).toEqual([
      true,
      false,
      true
    ])
    expect(second !== undefined && Result.isFailure(second) && second.failure).toMatchObject({
      stream: "a",
      expected: 0,
      actual: 1
    })
    expect(group.recorded.map(({ event }) => event.note)).toEqual(["1", "3"])
    expect(group.book.postings).toEqual([])
  })

  it("refuses a batch that claims a taken name, within the group too, and takes none for what the ledger refuses", () => {
    const claiming = (stream: string, name: string, amount: bigint) => ({
      ...batch(stream, 0, ["no", pay(`${stream}-1`, 1_000n)], ["yes", pay(`${stream}-2`, amount)]),
      claims: [name]
    })
    const claimed = new Set(["old"])
    const group = settleGroup(
      [claiming("a", "old", 1n), claiming("b", "new", 1_000n), claiming("c", "new", 1n), claiming("d", "new", 1n)],
      { book: book(), heads: new Map(), claimed },
      7,
      sha
    )
    expect(group.results.map(Result.isSuccess)).toEqual([false, true, true, false])
    expect([...group.claims]).toEqual([["new", 8]])
    expect(group.recorded.map(({ stream }) => stream)).toEqual(["c"])
  })

  it("refuses a batch that counts on a name that is taken, within the group too, and takes none of those it counts on", () => {
    const naming = (stream: string, names: Pick<Batch<Noted>, "claims" | "unclaimed">) => ({
      ...batch(stream, 0, [stream]),
      ...names
    })
    const group = settleGroup(
      [
        naming("a", { unclaimed: ["old"] }),
        naming("b", { unclaimed: ["next"] }),
        naming("c", { unclaimed: ["next"] }),
        naming("d", { claims: ["next"] }),
        naming("e", { unclaimed: ["next"] }),
        naming("f", { claims: ["next"] })
      ],
      { book: book(), heads: new Map(), claimed: new Set(["old"]) },
      7,
      sha
    )
    expect(group.results.map(Result.isSuccess)).toEqual([false, true, true, true, false, false])
    expect([...group.claims]).toEqual([["next", 10]])
  })

  it("refuses a batch when a stream that it builds on has moved, within the group too", () => {
    const heads = new Map([["product", { version: 3, hash: GENESIS }]])
    const on = (stream: string, version: number, name: string) => ({
      ...batch(name, 0, ["bought", pay(name, 1n)]),
      preconditions: [{ stream, version }]
    })
    const taken = (batches: ReadonlyArray<Batch<Noted>>) => settle(batches, 0, heads).results.map(Result.isSuccess)
    expect(taken([on("product", 3, "a"), on("product", 2, "b"), on("none", 0, "c")])).toEqual([true, false, true])
    expect(taken([batch("product", 3, ["revised"]), on("product", 3, "a"), on("product", 4, "b")])).toEqual([
      true,
      false,
      true
    ])
    const [stale] = settle([on("none", 1, "a")], 0, heads).results
    expect(stale !== undefined && Result.getFailure(stale)).toMatchObject({
      value: { stream: "none", expected: 1, actual: 0 }
    })
  })

  it("takes a batch without a version on any, and leaves the head of a stream where all was refused", () => {
    const head = { version: 9, hash: sha(GENESIS, "nine") }
    const group = settle([batch("a", null, ["1", pay("p", 101n)])], 0, new Map([["a", head]]))
    expect(group.recorded).toEqual([])
    expect(group.heads.size).toBe(0)
  })

  it("says which event placed and resolved each hold, and which answers to keep", () => {
    const [kept] = batch("a", 2, ["3"]).entries
    const group = settle([
      batch("a", 0, ["1", hold("h", 10n)], ["2", { _tag: "Release", hold: "h" }]),
      {
        ...batch("a", 2),
        entries: kept === undefined ? [] : [{ ...kept, idempotency: { key: "k", fingerprint: "f" } }]
      }
    ])
    expect(group.trace.holds.get("h")).toEqual({ placedBy: 1, resolvedBy: 2 })
    expect(group.answers.map(({ key, fingerprint, recorded }) => [key, fingerprint, recorded.seq])).toEqual([
      ["k", "f", 3]
    ])
  })
})
