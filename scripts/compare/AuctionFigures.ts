import { fromUnits, toNumber } from "../../engine/money/Amount.ts"
import type { OrderRow } from "../../engine/simulation/SimulationResult.ts"

/** What the auctions of one or more simulations came to. */
export interface AuctionFigures {
  readonly orders: number
  readonly commitments: number
  /** Orders that were won and settled, and those of them that a machine won. */
  readonly wins: number
  readonly machineWins: number
  /** Orders that were void. */
  readonly voids: number
  /** USD that the winners earned. */
  readonly profit: number
}

export const NO_FIGURES: AuctionFigures = { orders: 0, commitments: 0, wins: 0, machineWins: 0, voids: 0, profit: 0 }

export const figuresOf = (orders: ReadonlyArray<OrderRow>): AuctionFigures => {
  const won = orders.filter(({ voided, winner }) => winner !== null && voided === null)
  return {
    orders: orders.length,
    commitments: orders.reduce((sum, { commitments }) => sum + commitments, 0),
    wins: won.length,
    machineWins: won.filter(({ winnerType }) => winnerType === "machine").length,
    voids: orders.filter(({ voided }) => voided !== null).length,
    profit: toNumber(fromUnits(orders.reduce((sum, { profit }) => sum + profit, 0n)))
  }
}

export const added = (one: AuctionFigures, other: AuctionFigures): AuctionFigures => ({
  orders: one.orders + other.orders,
  commitments: one.commitments + other.commitments,
  wins: one.wins + other.wins,
  machineWins: one.machineWins + other.machineWins,
  voids: one.voids + other.voids,
  profit: one.profit + other.profit
})
