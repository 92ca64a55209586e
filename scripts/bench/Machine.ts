import { cpus, loadavg, platform, release, totalmem } from "node:os"
import effect from "effect/package.json" with { type: "json" }
import fastify from "fastify/package.json" with { type: "json" }
import pg from "pg/package.json" with { type: "json" }

/** What the figures were measured on. */
export interface Machine {
  readonly cpu: string
  readonly cores: number
  readonly memoryGiB: number
  readonly system: string
  /** Processes that wanted a core in the minute before: above 0.5 something else runs, and only ratios mean something. */
  readonly loadBefore: number
  readonly versions: Readonly<Record<string, string>>
}

export const machine = (): Machine => ({
  cpu: cpus()[0]?.model.trim() ?? "unknown",
  cores: cpus().length,
  memoryGiB: Math.round(totalmem() / 2 ** 30),
  system: `${platform()} ${release()}`,
  loadBefore: Number((loadavg()[0] ?? 0).toFixed(2)),
  versions: { bun: Bun.version, effect: effect.version, fastify: fastify.version, pg: pg.version }
})

export const describeMachine = ({ cpu, cores, memoryGiB, system, loadBefore, versions }: Machine): string =>
  [
    `machine   ${cores} cores, ${cpu}, ${memoryGiB} GiB, ${system}; load before ${loadBefore}`,
    `versions  ${Object.entries(versions)
      .map(([name, version]) => `${name} ${version}`)
      .join(", ")}`
  ].join("\n")
