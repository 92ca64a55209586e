import { readdirSync, readFileSync } from "node:fs"

/** Nanoseconds on a processor are the first of the scheduler's figures of a thread. */
const nanosOf = (pid: number): number =>
  readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => {
    const [nanos] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "latin1").split(" ")
    return sum + Number(nanos)
  }, 0)

/** Microseconds of processor time that processes used in all their threads; undefined where the system does not tell. */
export const processorMicros = (pids: ReadonlyArray<number>): number | undefined => {
  try {
    return pids.reduce((sum, pid) => sum + nanosOf(pid), 0) / 1_000
  } catch {
    return undefined
  }
}
