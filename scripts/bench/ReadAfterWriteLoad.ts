import { connect, type HttpConnection } from "./HttpConnection.ts"
import type { Call } from "./HttpLoad.ts"
import { percentile } from "./Sample.ts"

/** Commitments at a rate, each followed at once by a read of the caller's newest on the same connection. */
export interface ReadAfterWritePlan {
  readonly port: number
  /** One caller a connection, so that its newest commitment is the one that it made. */
  readonly tokens: ReadonlyArray<string>
  readonly millis: number
  /** Commitments a second, planned whatever becomes of those before. */
  readonly rate: number
  /** The commitments, in turns. */
  readonly calls: ReadonlyArray<Call>
}

/** Milliseconds that half and all but a hundredth took at most. */
export interface Waits {
  readonly p50: number
  readonly p99: number
}

export interface ReadAfterWriteResult {
  readonly answered: number
  readonly perSecond: number
  /** From when a commitment was planned to its answer. */
  readonly writes: Waits
  /** From a commitment's answer to the read's. */
  readonly reads: Waits
  /** Reads that did not show what was written. */
  readonly missed: number
  /** The first of these, or of what was refused. */
  readonly fault: string
  readonly refused: number
}

const NEWEST = "GET /api/arena/commitments/my?limit=1"

interface Written {
  readonly data: { readonly commitment_id: string }
}

interface Read {
  readonly commitments: ReadonlyArray<{ readonly commitment_id: string }>
}

const sleep = (millis: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, millis))

const waitsOf = (latencies: ReadonlyArray<number>): Waits => {
  const ascending = Float64Array.from(latencies).sort()
  return { p50: percentile(ascending, 0.5), p99: percentile(ascending, 0.99) }
}

class Tally {
  readonly writes: Array<number> = []
  readonly reads: Array<number> = []
  missed = 0
  refused = 0
  fault = ""

  async pair(connection: HttpConnection, call: Call, planned: number): Promise<void> {
    const written = await connection.ask(call.line, call.body)
    const acknowledged = performance.now()
    if (written.status !== 200) return this.#refuse(written.body)
    this.writes.push(acknowledged - planned)
    const read = await connection.ask(NEWEST)
    if (read.status !== 200) return this.#refuse(read.body)
    this.reads.push(performance.now() - acknowledged)
    const { commitment_id: made } = (JSON.parse(written.body) as Written).data
    const [newest] = (JSON.parse(read.body) as Read).commitments
    if (newest?.commitment_id === made) return
    this.missed += 1
    this.fault ||= `${made} was written, and ${newest?.commitment_id ?? "nothing"} read`
  }

  #refuse(body: string): void {
    this.refused += 1
    this.fault ||= body
  }
}

/** Loads a server of this machine, and answers when the time is over. */
export const readAfterWrites = async (plan: ReadAfterWritePlan): Promise<ReadAfterWriteResult> => {
  const { calls, millis, port, rate, tokens } = plan
  const connections = await Promise.all(tokens.map((token) => connect(port, token)))
  const tally = new Tally()
  const begun = performance.now()
  let turn = 0
  const lane = async (connection: HttpConnection): Promise<void> => {
    for (;;) {
      const planned = begun + (turn * 1_000) / rate
      const call = calls[turn % calls.length]
      if (planned >= begun + millis || call === undefined) return
      turn += 1
      const early = planned - performance.now()
      if (early > 0) await sleep(early)
      await tally.pair(connection, call, planned)
    }
  }
  await Promise.all(connections.map(lane))
  const seconds = (performance.now() - begun) / 1_000
  for (const { close } of connections) close()
  return {
    answered: tally.reads.length,
    perSecond: tally.reads.length / seconds,
    writes: waitsOf(tally.writes),
    reads: waitsOf(tally.reads),
    missed: tally.missed,
    refused: tally.refused,
    fault: tally.fault
  }
}
