import type { Row } from "./Row.ts"
import { spreadOf } from "./Sample.ts"

/** What waiting took, in milliseconds: all but the slowest hundredth took less. */
interface Waited {
  readonly p99: number
}

const tails = (rounds: ReadonlyArray<Waited>) => spreadOf(rounds.map(({ p99 }) => p99))

/** The line under a rate that tells how long its answers took, with what is to be said beside that or otherwise. */
export const latencyRow = (
  key: string,
  ours: ReadonlyArray<Waited>,
  peer?: ReadonlyArray<Waited>,
  further: Partial<Row> = {}
): Row => ({
  key,
  what: "  99 % are answered within",
  unit: "ms",
  ours: tails(ours),
  ...(peer === undefined ? {} : { peer: tails(peer) }),
  ...further
})
