import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { GENESIS } from "../../../engine/actor/EventChain.ts"
import { type Left, WriterMemory } from "../../../engine/journal/WriterMemory.ts"
import { accountId } from "../../../engine/ledger/Account.ts"
import { Book } from "../../../engine/ledger/Book.ts"
import type { Command } from "../../../engine/ledger/Command.ts"
import { fromUnits } from "../../../engine/money/Amount.ts"
import { runs } from "../../lib/Property.ts"

const custody = accountId("platform", "USD", "custody")
const OWNERS = ["ann", "bob", "cat"] as const
const walletOf = (owner: number) => accountId(OWNERS[owner] ?? "ann", "USD", "wallet")
const STREAMS = ["s/1", "s/2", "s/3"] as const

/** What the tables have, to read and to write. */
class Tables {
  readonly accounts = new Map<string, bigint>()
  readonly holds = new Map<string, string>()
  readonly heads = new Map<string, number>()
  readonly claims = new Set<string>()
  readonly keys = new Set<string>()

  take({ answers, book, claims, heads }: Left): void {
    for (const id of book.changedAccounts) this.accounts.set(id, book.account(id).balance)
    for (const id of book.changedHolds) this.holds.set(id, book.holds.get(id)?.state._tag ?? "")
    for (const [stream, { version }] of heads) this.heads.set(stream, version)
    for (const name of claims.keys()) this.claims.add(name)
    for (const { key } of answers) this.keys.add(key)
  }
}

interface Sent {
  readonly left: Left
  readonly seq: number
}

type Act =
  | {
      readonly act: "send"
      readonly owner: number
      readonly stream: number
      readonly hold: number
      readonly name: number
    }
  | { readonly act: "project"; readonly groups: number }
  | { readonly act: "undo" }
  | { readonly act: "read"; readonly owner: number; readonly stream: number }

const place = { owner: fc.nat(2), stream: fc.nat(2) }
const acts: fc.Arbitrary<ReadonlyArray<Act>> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ act: fc.constant("send"), ...place, hold: fc.nat(4), name: fc.nat(4) }) },
    { weight: 2, arbitrary: fc.record({ act: fc.constant("project"), groups: fc.integer({ min: 1, max: 3 }) }) },
    { weight: 1, arbitrary: fc.record({ act: fc.constant("undo") }) },
    { weight: 2, arbitrary: fc.record({ act: fc.constant("read"), ...place }) }
  ) as fc.Arbitrary<Act>,
  { maxLength: 40 }
)

/** The writer's memory beside the tables, and all that was ever sent: what stands is known from the one or the other. */
class World {
  readonly tables = new Tables()
  readonly truth = new Tables()
  readonly memory: WriterMemory
  readonly waiting: Array<Sent> = []
  #seq = 0

  constructor(most: number) {
    this.memory = new WriterMemory(most)
  }

  do(act: Act): void {
    if (act.act === "send") this.#send(act)
    else if (act.act === "project") this.#project(act.groups)
    else if (act.act === "undo") this.#undo()
    else this.#read(act)
  }

  #send({ hold, name, owner, stream }: Extract<Act, { act: "send" }>): void {
    this.#seq += 1
    const seq = this.#seq
    const wallet = walletOf(owner)
    const known = this.memory.account(wallet)
    const custodyKnown = this.memory.account(custody)
    const of = (id: typeof wallet, units: bigint) => ({
      id,
      balance: fromUnits(units),
      held: fromUnits(0n),
      closed: false
    })
    const book = new Book([
      known ?? of(wallet, this.tables.accounts.get(wallet) ?? 0n),
      custodyKnown ?? of(custody, this.tables.accounts.get(custody) ?? 0n)
    ])
    const commands: ReadonlyArray<Command> = [
      { _tag: "Transfer", id: `t${seq}`, from: custody, to: wallet, amount: fromUnits(2n), purpose: "mint" },
      { _tag: "Hold", id: `h${seq}`, account: wallet, into: custody, amount: fromUnits(1n) },
      ...(hold === 0 ? [{ _tag: "Release", hold: `h${seq}` } as const] : [])
    ]
    book.apply(commands)
    const id = STREAMS[stream] ?? "s/1"
    const version = (this.memory.head(id)?.version ?? this.tables.heads.get(id) ?? 0) + 1
    const left = {
      book,
      heads: new Map([[id, { version, hash: GENESIS }]]),
      claims: new Map([[`n${name}`, seq]]),
      answers: [{ key: `k${seq}` }] as unknown as Left["answers"]
    }
    this.truth.take(left)
    this.memory.remember(left, seq)
    this.waiting.push({ left, seq })
  }

  #project(groups: number): void {
    const done = this.waiting.splice(0, groups)
    const last = done.at(-1)
    if (last === undefined) return
    for (const { left } of done) this.tables.take(left)
    this.memory.project(
      done.map(({ left }) => left),
      last.seq
    )
  }

  /** The last group that was sent turns out not to be there. */
  #undo(): void {
    if (this.waiting.pop() === undefined) return
    this.memory.rebuild(this.waiting.map(({ left, seq }) => [left, seq]))
    const anew = new Tables()
    for (const [id, balance] of this.tables.accounts) anew.accounts.set(id, balance)
    for (const [id, state] of this.tables.holds) anew.holds.set(id, state)
    for (const [id, version] of this.tables.heads) anew.heads.set(id, version)
    for (const name of this.tables.claims) anew.claims.add(name)
    for (const key of this.tables.keys) anew.keys.add(key)
    for (const { left } of this.waiting) anew.take(left)
    Object.assign(this.truth, anew)
  }

  #read({ owner, stream }: Extract<Act, { act: "read" }>): void {
    const wallet = walletOf(owner)
    const id = STREAMS[stream] ?? "s/1"
    const balance = this.tables.accounts.get(wallet)
    const version = this.tables.heads.get(id)
    this.memory.recall(
      this.memory.head(id) === undefined && version !== undefined ? [{ id, version, hash: GENESIS }] : [],
      this.memory.account(wallet) === undefined && balance !== undefined
        ? [{ id: wallet, balance: fromUnits(balance), held: fromUnits(0n), closed: false }]
        : []
    )
  }

  /** What stands as the memory and the tables say, and as it is. */
  check(): void {
    for (const [id, balance] of this.truth.accounts) {
      const wallet = [custody, ...OWNERS.map((_, index) => walletOf(index))].find((known) => known === id) ?? custody
      expect([id, this.memory.account(wallet)?.balance ?? this.tables.accounts.get(id)]).toEqual([
        id,
        fromUnits(balance)
      ])
    }
    for (const [id, version] of this.truth.heads) {
      expect([id, this.memory.head(id)?.version ?? this.tables.heads.get(id)]).toEqual([id, version])
    }
    for (const [id, state] of this.truth.holds) {
      expect([id, this.memory.hold(id)?.state._tag ?? this.tables.holds.get(id)]).toEqual([id, state])
    }
    for (const name of this.truth.claims) expect(this.memory.isClaimed(name) || this.tables.claims.has(name)).toBe(true)
    for (const key of this.truth.keys) expect(this.memory.isAnswered(key) || this.tables.keys.has(key)).toBe(true)
  }
}

describe("WriterMemory", () => {
  it("and the tables together know what every group left, however little it may keep, and of none that is not there", () => {
    fc.assert(
      fc.property(fc.constantFrom(1, 2, 1_000), acts, (most, acts) => {
        const world = new World(most)
        for (const act of acts) {
          world.do(act)
          world.check()
        }
        expect(world.waiting.every(({ left }) => left.answers.every(({ key }) => world.memory.isAnswered(key)))).toBe(
          true
        )
      }),
      { numRuns: runs() }
    )
  })

  it("forgets holds, names and keys once the tables have them, and of the rest what is too much", () => {
    const world = new World(2)
    for (const owner of [0, 1, 2]) world.do({ act: "send", owner, stream: owner, hold: 1, name: owner })
    expect(world.memory.hold("h1")?.state._tag).toBe("Pending")
    expect(world.memory.account(walletOf(0))).toBeDefined()
    world.do({ act: "project", groups: 3 })
    expect([world.memory.hold("h1"), world.memory.isClaimed("n0"), world.memory.isAnswered("k1")]).toEqual([
      undefined,
      false,
      false
    ])
    world.do({ act: "send", owner: 0, stream: 0, hold: 1, name: 3 })
    expect([world.memory.account(walletOf(1)), world.memory.head("s/2")]).toEqual([undefined, undefined])
    expect(world.memory.account(walletOf(0))?.balance).toBe(fromUnits(4n))
  })
})
