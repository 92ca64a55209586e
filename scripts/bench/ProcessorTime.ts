import { readFileSync } from "node:fs"

/** The kernel counts processor time in hundredths of a second. */
const TICK_MICROS = 10_000

/** User and system time follow the command's name, which may hold spaces, after eleven other fields. */
const ticksOf = (pid: number): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, "latin1")
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  return Number(fields[11]) + Number(fields[12])
}

/** Microseconds of processor time that processes used in all their threads; undefined where the system does not tell. */
export const processorMicros = (pids: ReadonlyArray<number>): number | undefined => {
  try {
    return pids.reduce((sum, pid) => sum + ticksOf(pid), 0) * TICK_MICROS
  } catch {
    return undefined
  }
}
