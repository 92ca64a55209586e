/** A process of its own that asks a server at fixed times, whatever became of the questions before. */
import { serve } from "./Worker.ts"

export interface ProbePlan {
  readonly url: string
  readonly orderId: string
  /** Who reads, in turns. */
  readonly tokens: ReadonlyArray<string>
  /** How many times, and how far apart. */
  readonly times: number
  readonly everyMillis: number
}

/** Milliseconds from when each question was due to its answer. */
export interface Probed {
  readonly health: ReadonlyArray<number>
  readonly reads: ReadonlyArray<number>
  /** Answers of another status than 200, and questions that had none. */
  readonly failed: number
}

/** Longest that an answer is waited for, in milliseconds. */
const PATIENCE = 30_000

const probe = async ({ everyMillis, orderId, times, tokens, url }: ProbePlan): Promise<Probed> => {
  const health: Array<number> = []
  const reads: Array<number> = []
  let failed = 0
  const begun = performance.now()
  const ask = async (path: string, due: number, into: Array<number>, headers: Record<string, string>) => {
    const status = await fetch(`${url}${path}`, { headers, signal: AbortSignal.timeout(PATIENCE) }).then(
      (response) => response.arrayBuffer().then(() => response.status),
      () => 0
    )
    if (status !== 200) failed += 1
    into.push(performance.now() - due)
  }
  const asked: Array<Promise<void>> = []
  for (let time = 0; time < times; time++) {
    const due = begun + time * everyMillis
    await Bun.sleep(Math.max(0, due - performance.now()))
    const token = tokens[time % tokens.length] ?? ""
    asked.push(ask("/health/ready", due, health, {}))
    asked.push(ask(`/api/arena/orders/${orderId}`, due, reads, { authorization: `Bearer ${token}` }))
  }
  await Promise.all(asked)
  return { health, reads, failed }
}

serve(probe)
