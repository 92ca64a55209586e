/**
 * Three nodes on one embedded PostgreSQL behind a small balancer: `npm run demo:cluster`. Says what to kill. Its data is
 * in a temporary folder that is removed at the end.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { SmallCluster } from "./cluster/SmallCluster.ts"

const PORT = 3000

const folder = mkdtempSync(join(tmpdir(), "emporion-cluster-"))
const cluster = await SmallCluster.start({ folder, port: PORT, variables: { ARENA_PROFILE: "demo" } })
await cluster.ready()

const secrets = /^(Demo login|API client|First administrator).*$/gm
const banner = cluster.nodes.flatMap(({ said }) => [...said.matchAll(secrets)].map(([line]) => line))
const { CLUSTER_SECRET, DATABASE_URL } = cluster.variables

console.log(
  [
    "",
    `Three nodes behind ${cluster.balancer.url}`,
    `  Dashboard    ${cluster.balancer.url}/dashboard`,
    `  Live events  ${cluster.balancer.url.replace(/^http/, "ws")}/ws/arena`,
    ...banner.map((line) => `  ${line}`),
    "",
    ...cluster.nodes.map(
      ({ pid, place, url }) => `${place.name}  ${url}  process ${pid}, among the nodes ${place.address}`
    ),
    "",
    "Who writes:",
    `  DATABASE_URL='${DATABASE_URL}' npx emporion nodes`,
    "Kill any of them: it is started again, and another one takes over where it wrote.",
    `  kill -9 ${cluster.nodes[0]?.pid}`,
    "Let another one write:",
    `  DATABASE_URL='${DATABASE_URL}' CLUSTER_SECRET=${CLUSTER_SECRET} npx emporion nodes hand-over`,
    "",
    "Ctrl-C ends them all.",
    ""
  ].join("\n")
)

const stop = async (): Promise<void> => {
  await cluster.stop()
  rmSync(folder, { recursive: true, force: true })
  process.exit(0)
}
process.once("SIGINT", () => void stop())
process.once("SIGTERM", () => void stop())
