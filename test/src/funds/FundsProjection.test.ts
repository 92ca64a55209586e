import { describe, expect } from "bun:test"
import { Effect } from "effect"
import type { Recorded } from "../../../engine/actor/Journal.ts"
import type { FundsMinted } from "../../../engine/ledger/FundsEvent.ts"
import { fromUnits } from "../../../engine/money/Amount.ts"
import { fundsProjection, MAX_KNOWN_FUNDS } from "../../../src/funds/FundsProjection.ts"
import { itEffect } from "../../lib/Effects.ts"

const minted = (seq: number, owner: string): Recorded<FundsMinted> => ({
  seq,
  stream: `funds/${owner}`,
  version: seq,
  hash: "",
  event: {
    _tag: "FundsMinted",
    at: seq,
    fundId: `fund-${owner}`,
    owner,
    asset: "USD",
    amount: fromUnits(1n),
    externalReference: null
  }
})

/** The projection, and whose funds it adds for events. */
const fixture = Effect.map(fundsProjection, ({ projected, rows }) => ({
  projected: projected ?? (() => {}),
  added: (events: ReadonlyArray<Recorded<FundsMinted>>) => [
    ...new Set(
      events
        .flatMap((event) => rows?.FundsMinted?.(event) ?? [])
        .map((one) => (one._tag === "Ensure" ? one.row.values[1] : undefined))
    )
  ]
}))

describe("funds of recorded events", () => {
  itEffect("are added until the tables have them", () =>
    Effect.gen(function* () {
      const { added, projected } = yield* fixture
      expect(added([minted(1, "ann")])).toEqual(["ann"])
      expect(added([minted(1, "ann")])).toEqual(["ann"])
      projected([minted(1, "ann")])
      expect(added([minted(2, "ann"), minted(3, "bob")])).toEqual(["bob"])
    })
  )

  itEffect("are added again where too many were remembered", () =>
    Effect.gen(function* () {
      const { added, projected } = yield* fixture
      projected(Array.from({ length: MAX_KNOWN_FUNDS }, (_, index) => minted(index + 1, `owner-${index}`)))
      expect(added([minted(1, "owner-0")])).toEqual([])
      projected([minted(2, "owner-1")])
      expect(added([minted(1, "owner-0")])).toEqual([])
      projected([minted(2, "ann")])
      expect(added([minted(3, "owner-0"), minted(4, "ann")])).toEqual(["owner-0"])
    })
  )
})
