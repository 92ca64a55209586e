import { Result } from "effect"
import { describe, expect, it } from "bun:test"
import type { FundsMinted } from "../../../engine/ledger/FundsEvent.ts"
import * as Funding from "../../../engine/ledger/Funding.ts"
import { FundsReplay } from "../../../engine/replay/FundsReplay.ts"
import type { StateRow } from "../../../engine/replay/StateTable.ts"
import { usd } from "../../lib/ArenaArbitraries.ts"

const stored = (stream: string) => ({ seq: 1, stream, version: 1, type: "T", data: "", hash: "" })

const minted = (change: Partial<FundsMinted> = {}): FundsMinted => ({
  _tag: "FundsMinted",
  at: 5,
  fundId: "f",
  owner: "o",
  asset: "USD",
  amount: usd("3"),
  externalReference: null,
  posting: { id: "0a", limited: true },
  ...change
})

const funds = (there = false) => {
  const rows: Array<StateRow> = []
  const sink = { history: false, put: (row: StateRow) => rows.push(row) }
  return {
    rows,
    replay: new FundsReplay(
      sink,
      (owner, asset) => `fnd_${owner}_${asset}`,
      () => there
    )
  }
}

const money = { id: "0a", owner: "o", asset: "USD", amount: usd("3") }

describe("FundsReplay", () => {
  it("tells a mint's commands, with the grant before the owner's first", () => {
    const spent = Funding.mintWithinAllowance(money)
    const grant = Funding.grantMintAllowance("o", "USD")
    expect(funds().replay.decide(minted(), stored("funds/o"))).toEqual(Result.succeed([grant, ...spent]))
    expect(funds(true).replay.decide(minted(), stored("funds/o"))).toEqual(Result.succeed(spent))
    const free = minted({ posting: { id: "0a", limited: false } })
    expect(funds().replay.decide(free, stored("funds/o"))).toEqual(Result.succeed([Funding.mint(money)]))
  })

  it("refuses money in another stream than its own, and mints that do not say how they were taken", () => {
    const { posting: _, ...early } = minted()
    const wrong: ReadonlyArray<readonly [FundsMinted, string]> = [
      [minted(), "funds/p"],
      [early, "funds/o"],
      [minted({ externalReference: "w" }), "funds/o"],
      [minted({ externalReference: "w" }), "deposit/w"],
      [minted({ posting: { id: "starting/o/USD", limited: false } }), "funds/o"]
    ]
    for (const [event, stream] of wrong) {
      expect(Result.isFailure(funds().replay.decide(event, stored(stream)))).toBe(true)
    }
    const { replay } = funds()
    const capital = { _tag: "CapitalFunded", at: 1, account: "a/USD/wallet", asset: "USD", amount: usd("1") } as const
    expect(Result.isSuccess(replay.decide(capital, stored("capital/a/USD/wallet/start")))).toBe(true)
    expect(Result.isFailure(replay.decide(capital, stored("capital/b/USD/wallet/start")))).toBe(true)
    const grant = { _tag: "AllowanceGranted", at: 1, traderId: "t", amount: usd("1") } as const
    expect(Result.isSuccess(replay.decide(grant, stored("loss-allowance/t")))).toBe(true)
    expect(Result.isFailure(replay.decide(grant, stored("loss-allowance/u")))).toBe(true)
  })

  it("makes one fund of an owner and asset, under an id that nobody has", () => {
    const { rows, replay } = funds()
    const opened = [
      { owner: "o", asset: "USD", fundId: "f" },
      { owner: "o", asset: "USD", fundId: "g" },
      { owner: "p", asset: "USD", fundId: "f" },
      { owner: "p", asset: "EUR", fundId: undefined }
    ]
    for (const one of opened) replay.open(one, 5, stored("s"))
    expect(rows.map(({ values }) => values)).toEqual([
      ["f", "o", "USD", "o/USD/wallet", "5"],
      ["fnd_p_USD", "p", "USD", "p/USD/wallet", "5"],
      ["fnd_p_EUR", "p", "EUR", "p/EUR/wallet", "5"]
    ])
  })
})
