import { readFileSync } from "node:fs"

export const KIB = 1_024
export const MIB = 1_024 * KIB

/** Bytes of a process that are in memory, without what it swapped out. */
export const residentBytes = (pid: number): number => {
  if (process.platform === "linux") {
    const [, pages = "0"] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? []
    return Number(pages) * KIB
  }
  return Number(Bun.spawnSync(["ps", "-o", "rss=", "-p", String(pid)]).stdout.toString()) * KIB
}
