import { readdirSync, readFileSync } from "node:fs"

/** What is known of a process from the look before. */
interface Known {
  /** Nanoseconds of each thread. */
  readonly threads: ReadonlyMap<string, number>
  /** Nanoseconds of threads that have ended since: the system forgets them. */
  readonly ended: number
}

const looked = new Map<number, Known>()

/** Nanoseconds on a processor are the first of the scheduler's figures of a thread. One that has just ended has none. */
const nanosOf = (pid: number, thread: string): ReadonlyArray<readonly [string, number]> => {
  try {
    const [nanos] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "latin1").split(" ")
    return [[thread, Number(nanos)]]
  } catch {
    return []
  }
}

const sum = (values: Iterable<number>): number => Array.from(values).reduce((all, value) => all + value, 0)

const lookAt = (pid: number): number => {
  const threads = new Map(readdirSync(`/proc/${pid}/task`).flatMap((thread) => nanosOf(pid, thread)))
  if (threads.size === 0) throw new Error(`the system does not tell the time of ${pid}`)
  const before = looked.get(pid)
  const gone = Array.from(before?.threads ?? []).flatMap(([thread, nanos]) => (threads.has(thread) ? [] : nanos))
  const ended = (before?.ended ?? 0) + sum(gone)
  looked.set(pid, { threads, ended })
  return ended + sum(threads.values())
}

/**
 * Microseconds of processor time that processes used in all their threads; undefined where the system does not tell. Of a
 * thread that has ended it counts what there was at the look before, so that it never falls.
 */
export const processorMicros = (pids: ReadonlyArray<number>): number | undefined => {
  try {
    return sum(pids.map(lookAt)) / 1_000
  } catch {
    return undefined
  }
}
