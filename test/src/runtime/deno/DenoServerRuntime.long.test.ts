import { beforeAll, describe, expect, it } from "bun:test"
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { runOnDeno } from "../../../lib/DenoTestRun.ts"

const ROOT = join(import.meta.dirname, "..", "..", "..", "..")

/** Milliseconds for one file. */
const LIMIT = 240_000

/** What speaks to a server over its socket, and what hangs on the runtime's own modules. */
const FILES = [
  ...[
    "Callers",
    "CompressedText",
    "CrossOrigin",
    "Documentation",
    "FastEndpoints",
    "HttpConventions",
    "HttpServer",
    "Https",
    "Idempotency",
    "MalformedRequests",
    "MetricsRoute",
    "RateLimits",
    "Readiness",
    "RequestValidation",
    "SystemHandlers",
    "UpgradeDispatcher"
  ].map((name) => `http/${name}`),
  ...["ArenaStream", "CatchUp", "Conversation", "HostileFrames", "PulledStream", "StreamAuthentication"].map(
    (name) => `stream/${name}`
  ),
  "rpc/FastLaneServer",
  "rpc/RpcConnection",
  "dashboard/DashboardRoutes",
  "bots/programs/ProgramThread",
  "webhooks/ResponseParser",
  "webhooks/SendingConnections",
  "webhooks/WebhookSender",
  "main.long"
]

describe("The platform on Deno", () => {
  beforeAll(() => {
    const { status, stderr } = spawnSync(process.execPath, ["scripts/bundle.ts"], { cwd: ROOT, encoding: "utf8" })
    expect([status, stderr]).toEqual([0, ""])
  })

  it.each(FILES)(
    "passes %s",
    async (name) => {
      const { failures, passed } = await runOnDeno(`test/src/${name}.test.ts`)
      expect(failures).toEqual([])
      expect(passed).toBeGreaterThan(0)
    },
    LIMIT
  )
})
