import fc from "fast-check"
import { encodeEvent } from "../../engine/actor/EventChain.ts"
import type { ArenaEvent } from "../../engine/arena/ArenaEvent.ts"
import { decodeArenaEvent } from "../../engine/arena/ArenaEvent.ts"
import { ASSET_TYPES } from "../../engine/arena/AssetType.ts"
import type { PlatformEvent } from "../../engine/replay/PlatformEvent.ts"
import { OPENING, usd } from "./ArenaArbitraries.ts"
import { anyFixture, play } from "./ArenaFixtures.ts"

/** An event of which the stream's clients are told nothing. */
export const minted: PlatformEvent = {
  _tag: "FundsMinted",
  at: OPENING,
  fundId: "f",
  owner: "o",
  asset: "USD",
  amount: usd("1"),
  externalReference: null
}

/** An order's life as that of another order. */
const renamed = (events: ReadonlyArray<ArenaEvent>, index: number): ReadonlyArray<ArenaEvent> =>
  events.map((event) =>
    decodeArenaEvent(
      encodeEvent(event)
        .replaceAll("0a".repeat(12), String(index).padStart(2, "0").repeat(12))
        .replaceAll('"assetType":"fx"', `"assetType":"${ASSET_TYPES[index % ASSET_TYPES.length]}"`)
    )
  )

/** The lives of some orders, interleaved, with other events between. */
export const anyLog: fc.Arbitrary<ReadonlyArray<PlatformEvent>> = fc
  .tuple(fc.array(anyFixture, { minLength: 2, maxLength: 5 }), fc.infiniteStream(fc.nat(5)))
  .map(([fixtures, turns]) => {
    const lives: Array<Array<PlatformEvent>> = fixtures.map((fixture, index) => [
      ...renamed(
        play(fixture).journal.recorded.map(({ event }) => event),
        index
      )
    ])
    const log: Array<PlatformEvent> = []
    while (lives.some(({ length }) => length > 0)) {
      const turn = turns.next().value
      log.push(lives[turn % 6]?.shift() ?? minted)
    }
    return log
  })
