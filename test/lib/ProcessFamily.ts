import { readdirSync, readFileSync } from "node:fs"

/** A process and its children. */
export const familyOf = (pid: number): ReadonlyArray<number> => [
  pid,
  ...readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        return readFileSync(`/proc/${name}/stat`, "utf8").split(") ")[1]?.split(" ")[1] === String(pid)
      } catch {
        return false
      }
    })
    .map(Number)
]

/** Sends a signal to every one that is still there. */
export const signalAll = (pids: ReadonlyArray<number>, name: NodeJS.Signals): void => {
  for (const pid of pids) {
    try {
      process.kill(pid, name)
    } catch {
      // It ended since it was listed.
    }
  }
}
