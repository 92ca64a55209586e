import { readFileSync } from "node:fs"
import { join } from "node:path"

/** The facts that a running PostgreSQL writes into its data folder's `postmaster.pid`. */
export interface Postmaster {
  readonly pid: number
  /** `starting`, `stopping`, `ready` or `standby`; empty before the first is written. */
  readonly status: string
}

/** Reads the file's text: line 1 is the process, line 8 its status (PostgreSQL's `utils/pidfile.h`). */
export const parsePostmaster = (text: string): Postmaster | undefined => {
  const lines = text.split("\n")
  const pid = Number(lines[0])
  return Number.isSafeInteger(pid) && pid > 0 ? { pid, status: (lines[7] ?? "").trim() } : undefined
}

export const postmasterFile = (cluster: string): string => join(cluster, "postmaster.pid")

/** The PostgreSQL that last said it runs on the cluster, if any; it may be gone. */
export const readPostmaster = (cluster: string): Postmaster | undefined => {
  try {
    return parsePostmaster(readFileSync(postmasterFile(cluster), "utf8"))
  } catch {
    return undefined
  }
}
