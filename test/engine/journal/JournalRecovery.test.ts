import { describe, expect, it } from "bun:test"
import { GENESIS } from "../../../engine/actor/EventChain.ts"
import { recordedGroup, settleAgain } from "../../../engine/journal/JournalRecovery.ts"
import { Book } from "../../../engine/ledger/Book.ts"
import { link } from "../../../src/database/ChainLink.ts"

const row = { firstSeq: 1, count: 1, term: 1n, recordedAt: 1, hash: GENESIS, answersDigest: GENESIS, answers: null }

describe("a row of the journal at a start", () => {
  it("is not taken where it was written together with tables that lack it, or cannot be read", () => {
    expect(() => recordedGroup({ ...row, body: "s/1\t\t\t{}" })).toThrow("belongs to tables that lack it")
    expect(() => recordedGroup({ ...row, body: "nothing" })).toThrow("cannot be read")
    expect(() => recordedGroup({ ...row, body: 's/1\t\t\t\t{"_tag":"Nothing"}' })).toThrow("event 1 of the journal")
  })

  it("is settled again by its own bytes, and not where the ledger refuses it", () => {
    const data = '{"_tag":"AllowanceGranted","at":1,"traderId":"one","amount":"1"}'
    const settled = (commands: string) =>
      settleAgain(
        recordedGroup({ ...row, body: `s/1\t\t\t${commands}\t${data}` }),
        { book: new Book(), heads: new Map() },
        link
      )
    expect(settled("").recorded.map(({ data, seq, version }) => [data, seq, version])).toEqual([[data, 1, 1]])
    expect(() => settled('[["r","nothing"]]')).toThrow("the ledger does not take event 1")
  })
})
