import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { join } from "node:path"
import { Api } from "../../../src/api/Api.ts"
import { make } from "../../../src/http/OpenApiDocument.ts"
import { itLive } from "../../lib/Effects.ts"
import { temporaryFolder } from "../../lib/TemporaryFolder.ts"

const ROOT = join(import.meta.dir, "..", "..", "..")
const LINTER = join(ROOT, "node_modules", "@redocly", "cli", "bin", "cli.js")

const document = make(Api) as unknown as { readonly paths: Record<string, object> }

/**
 * What the rules may warn of: an operation that redirects or becomes a WebSocket instead of answering, and paths beside
 * the specification's own `/v1/users/verify/{userId}` and `/v1/webhooks/test`, which a fixed name comes before; and
 * schemas that the specification names and shows at no operation.
 */
const ACCEPTED =
  /^warn (operation-2xx-response|no-unused-components #\/components\/schemas\/(Profile|Wallet)$|no-ambiguous-paths #\/paths\/~1v1~1(users|webhooks)~1)/

interface Problem {
  readonly ruleId: string
  readonly severity: string
  readonly message: string
  readonly location: ReadonlyArray<{ readonly pointer: string }>
}

/** What the linter's recommended rules find in a document. */
const lint = (document: unknown) =>
  Effect.gen(function* () {
    const folder = yield* temporaryFolder
    const file = join(folder, "openapi.json")
    yield* Effect.promise(() => Bun.write(file, JSON.stringify(document)))
    const child = Bun.spawn([process.execPath, LINTER, "lint", "--extends=recommended", "--format=json", file], {
      cwd: folder,
      env: { REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true", NO_COLOR: "1" },
      stdio: ["ignore", "pipe", "pipe"]
    })
    const told = yield* Effect.promise(() => new Response(child.stdout).text())
    const { problems } = JSON.parse(told) as { readonly problems: ReadonlyArray<Problem> }
    return problems.map(({ location, ruleId, severity }) => `${severity} ${ruleId} ${location[0]?.pointer ?? ""}`)
  })

describe("The OpenAPI document", () => {
  itLive("passes the linter's recommended rules, which find what is wrong", () =>
    Effect.gen(function* () {
      expect((yield* lint(document)).filter((problem) => !ACCEPTED.test(problem))).toEqual([])
      const { "/v1/info": info, ...paths } = document.paths
      const broken = { ...document, paths: { ...paths, "/v1/info/{id}": info } }
      expect(yield* lint(broken)).toContain("error path-parameters-defined #/paths/~1v1~1info~1{id}/get/parameters")
    })
  )
})
