import { describe, expect } from "bun:test"
import { Effect, Layer } from "effect"
import type { Recorded } from "../../../engine/actor/Journal.ts"
import { fromUnits } from "../../../engine/money/Amount.ts"
import type { PlatformEvent } from "../../../engine/replay/PlatformEvent.ts"
import { fundsProjection, MAX_KNOWN_FUNDS } from "../../../src/funds/FundsProjection.ts"
import { FundsRepository } from "../../../src/funds/FundsRepository.ts"
import { itEffect } from "../../lib/Effects.ts"

const minted = (seq: number, owner: string): Recorded<PlatformEvent> => ({
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
const projected = Effect.suspend(() => {
  let added: ReadonlyArray<string> = []
  const repository = Layer.mock(FundsRepository, {
    opened: (funds) => {
      added = funds.map(({ owner }) => owner)
      return []
    }
  })
  return Effect.map(Effect.provide(fundsProjection, repository), ({ committed, write }) => ({
    committed: committed ?? (() => {}),
    added: (events: ReadonlyArray<Recorded<PlatformEvent>>) => {
      write(events)
      return added
    }
  }))
})

describe("funds of recorded events", () => {
  itEffect("are added until a commit has added them", () =>
    Effect.gen(function* () {
      const { added, committed } = yield* projected
      expect(added([minted(1, "ann")])).toEqual(["ann"])
      expect(added([minted(1, "ann")])).toEqual(["ann"])
      committed([minted(1, "ann")])
      expect(added([minted(2, "ann"), minted(3, "bob")])).toEqual(["bob"])
    })
  )

  itEffect("are added again where too many were remembered", () =>
    Effect.gen(function* () {
      const { added, committed } = yield* projected
      committed(Array.from({ length: MAX_KNOWN_FUNDS }, (_, index) => minted(index + 1, `owner-${index}`)))
      expect(added([minted(1, "owner-0")])).toEqual([])
      committed([minted(2, "owner-1")])
      expect(added([minted(1, "owner-0")])).toEqual([])
      committed([minted(2, "ann")])
      expect(added([minted(3, "owner-0"), minted(4, "ann")])).toEqual(["owner-0"])
    })
  )
})
