import { join } from "node:path"
import { Context, Effect } from "effect"
import { HttpApi, OpenApi } from "effect/http-api"
import { Api } from "../src/api/Api.ts"
import { body, CATALOGUE, type Code, OAUTH_PATHS, type Shape } from "../src/api/ApiError.ts"
import { ACCOUNT_MOVES, messageName } from "../src/api/AccountMoves.ts"
import { type Access, Policy } from "../src/api/Authorization.ts"
import { FastLane } from "../src/api/rpc/FastLane.ts"
import { isSpecified } from "../src/api/SpecifiedOperations.ts"
import { checkPage } from "./CheckPage.ts"
import { clientContractPage } from "./ClientContract.ts"
import { commandHelp } from "./CommandPage.ts"
import { modulePage } from "./ModulePage.ts"
import { pythonContractPages } from "./PythonContract.ts"
import { webhookPage, webhookSchema } from "./WebhookPage.ts"

/** The repository. */
const ROOT = join(import.meta.dir, "..")

/** A page that is made from the code. */
export interface ReferencePage {
  /** From the repository's root. */
  readonly path: string
  readonly text: string
}

/** What a metric's declaration in the code says. */
export interface MetricFact {
  /** As `/metrics` shows it. */
  readonly name: string
  readonly kind: string
  readonly description: string
  /** The file that declares it, from the repository's root. */
  readonly source: string
}

const MADE = "<!-- Made by `bun scripts/generate-reference.ts` from the code. Change the code, then run it. -->"

const codes = Object.keys(CATALOGUE) as ReadonlyArray<Code>

const SHAPES: ReadonlyArray<readonly [Shape, string]> = [
  ["arena", "Paths under `/api/arena`:"],
  ["oauth", `${[...OAUTH_PATHS].map((path) => `\`${path}\``).join(",\n")} (RFC 6749, section 5.2):`],
  ["platform", "Every other path:"]
]

const example = (shape: Shape, code: Code): string => JSON.stringify(body(shape, code, CATALOGUE[code].sentence))

const errorRow = (code: Code): string => {
  const { sentence, status } = CATALOGUE[code]
  return `| \`${code}\` | ${status} | ${sentence} |`
}

/** Codes that no operation answers: the catalogue has them ahead of what will. */
export const reservedCodes = (texts: ReadonlyArray<string>): ReadonlyArray<Code> =>
  codes.filter((code) => !texts.some((text) => text.includes(`"${code}"`)))

const reserved = (unused: ReadonlyArray<Code>): string =>
  `No operation answers these yet: ${unused.map((code) => `\`${code}\``).join(", ")}.`

const errors = (unused: ReadonlyArray<Code>): string =>
  [
    MADE,
    "# Errors",
    "",
    "An error has a code and a message. The code is for programs and does not change. The message is for people and may. The code",
    "decides the HTTP status. The sentence below is the message when nothing more exact is known; most messages name the",
    "field, the order or the amount concerned.",
    "",
    ...SHAPES.flatMap(([shape, where]) => [
      where,
      "",
      "```json",
      example(shape, shape === "oauth" ? "invalid_grant" : "not_found"),
      "```",
      ""
    ]),
    "401 carries `WWW-Authenticate`, 405 `Allow`, 429 and 503 `Retry-After` in seconds. See [HTTP](http.md) for the rest.",
    "",
    "| code | status | message |",
    "|---|---|---|",
    ...codes.toSorted((one, other) => CATALOGUE[one].status - CATALOGUE[other].status).map(errorRow),
    "",
    ...(unused.length === 0 ? [] : [reserved(unused), ""]),
    "`ARENA_007` is also the stored reason of a commitment that the [3/4 rule](../concepts/arena.md#the-34-rule) kept from",
    "winning.",
    ""
  ].join("\n")

const DECLARED =
  /Metric\.(counter|gauge|histogram|frequency|summary|timer)\(\s*"([^"]+)",\s*\{\s*description:\s*"([^"]+)"/g

/** The metrics that a file's text declares. Counters are shown with `_total`. */
export const metricsOf = (source: string, text: string): ReadonlyArray<MetricFact> =>
  [...text.matchAll(DECLARED)].map(([, kind = "", name = "", description = ""]) => ({
    name: kind === "counter" ? `${name}_total` : name,
    kind,
    description: description.replace(/\.$/, ""),
    source
  }))

interface SourceText {
  readonly path: string
  readonly text: string
}

const sources = async (): Promise<ReadonlyArray<SourceText>> => {
  const globs = ["{src,engine}/**/*.ts", "packages/*/src/**/*.ts", "packages/client-python/emporion/*.py"]
  const paths = globs.flatMap((glob) => [...new Bun.Glob(glob).scanSync({ cwd: ROOT })]).toSorted()
  return Promise.all(paths.map(async (path) => ({ path, text: await Bun.file(join(ROOT, path)).text() })))
}

const callers = (access: Access | undefined): string => {
  switch (access?._tag) {
    case "Open":
      return "anyone"
    case "Scopes":
      return access.scopes.map((scope) => `\`${scope}\``).join(", ")
    case "Admin":
      return "an administrator"
    case "AnyWrite":
      return "any `:write` scope"
    default:
      return "any token"
  }
}

const movesOf = (name: string): string => (ACCOUNT_MOVES[name] ?? []).join(", ")

/** A row for each message of `/rpc`. */
const messageRows = (): ReadonlyArray<string> =>
  [...FastLane.requests.values()].map(({ _tag, annotations }) => {
    const access = Context.getOrUndefined(annotations, Policy)
    return `| \`${_tag}\` | ${callers(access)} | ${movesOf(messageName(_tag))} |`
  })

/** A row for each operation of the contract, in its order. */
const operationRows = (): ReadonlyArray<string> => {
  const rows: Array<string> = []
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, mergedAnnotations }) => {
      const path = endpoint.path.replaceAll(/:(\w+)/g, "{$1}")
      const access = Context.getOrUndefined(mergedAnnotations, Policy)
      const summary = Context.getOrUndefined(endpoint.annotations, OpenApi.Summary) ?? ""
      const origin = isSpecified(endpoint.method, path) ? "" : "extension"
      const name = `${endpoint.method} ${path}`
      rows.push(`| \`${name}\` | ${callers(access)} | ${movesOf(name)} | ${summary} | ${origin} |`)
    }
  })
  return rows
}

const operations = (): string =>
  [
    MADE,
    "# Operations",
    "",
    "This page says who may call what, as the contract declares and the server enforces it. The access token must have the",
    "named scope; administrators are not exempt. `/docs` of a running server has the fields and the answers.",
    "",
    "*Moves* names the kinds of [ledger accounts](../concepts/ledger.md), with their owner, that an operation can move, hold,",
    "open or close at once for its caller. No other operation does. To make or change a bot so that it may spend more",
    "(`collateral_amount`, `credit_budget` of a change, `auto_topup_enabled`), the token also needs `payments:write`.",
    "",
    "| operation | for | moves | what it does | |",
    "|---|---|---|---|---|",
    ...operationRows(),
    "",
    "## Messages of /rpc",
    "",
    "| message | for | moves |",
    "|---|---|---|",
    ...messageRows(),
    ""
  ].join("\n")

const CATALOGUE_FILE = "src/api/ApiError.ts"

const metrics = (facts: ReadonlyArray<MetricFact>): string =>
  [
    MADE,
    "# Metrics",
    "",
    "`GET /metrics` answers in Prometheus' text format 0.0.4, or as OpenMetrics 1.0 where `Accept` names",
    "`application/openmetrics-text`: then counters are families without `_total`, and buckets of",
    "`emporion_commit_duration_seconds` name a trace. Callers on the same machine need no token, unless a proxy",
    "forwards them; everybody else needs an administrator's token. A request counts as forwarded if its peer is in",
    "`TRUSTED_PROXIES`, if `PUBLIC_URL` is https and the server itself has no certificate, if `Host` is not `localhost`,",
    "`127.…` or `[::1]`, or if it has a header that scrapers do not send by themselves. The rate limit does not count these",
    "requests. A counter appears with its first count; a histogram has `_bucket`, `_sum` and `_count`.",
    "",
    "| metric | kind | meaning | declared in |",
    "|---|---|---|---|",
    ...facts.map(
      ({ name, kind, description, source }) => `| \`${name}\` | ${kind} | ${description}. | \`${source}\` |`
    ),
    ""
  ].join("\n")

const commands = (help: string): string =>
  [
    MADE,
    "# Commands",
    "",
    "Run `npx emporion` in the program's folder. Its settings are those of the server: give a command the server's",
    "environment. `--database URL` or `--data-dir DIR` name the database that a command works on. Without them it is the",
    "one of `DATABASE_URL`, else the embedded one of `DATA_DIR`, else that of `.data`. A command reaches an embedded",
    "PostgreSQL over its socket while a server runs, and starts it for its own time when none does.",
    "",
    "| exit code | |",
    "|---|---|",
    "| 0 | The command did what it was asked. |",
    "| 1 | The command failed, or found a fault. One sentence on standard error says why, and what to do. |",
    "| 2 | The command line is wrong. One sentence says how. |",
    "| 130 | The command was interrupted. |",
    "",
    "The audit log has what `admin create`, `keys rotate`, `breaker reset` and `time advance` did, by `operator`. Completions for a shell:",
    '`eval "$(npx emporion --completions bash)"`.',
    "",
    help
  ].join("\n")

/** Every page that is made from the code, as it should be. */
export const referencePages = async (): Promise<ReadonlyArray<ReferencePage>> => {
  const files = await sources()
  const answering = files.filter(({ path }) => path.startsWith("src/") && path !== CATALOGUE_FILE)
  const facts = files.flatMap(({ path, text }) => metricsOf(path, text))
  const byName = facts.toSorted((one, other) => (one.name < other.name ? -1 : 1))
  return [
    { path: "docs/reference/errors.md", text: errors(reservedCodes(answering.map(({ text }) => text))) },
    { path: "docs/reference/metrics.md", text: metrics(byName) },
    { path: "docs/reference/modules.md", text: modulePage(MADE, files) },
    clientContractPage(),
    ...pythonContractPages(),
    { path: "docs/reference/operations.md", text: operations() },
    { path: "docs/reference/webhooks.md", text: [MADE, webhookPage()].join("\n") },
    { path: "docs/reference/webhooks.schema.json", text: webhookSchema() },
    { path: "docs/operating/checks.md", text: [MADE, checkPage()].join("\n") },
    { path: "docs/operating/cli.md", text: commands(await Effect.runPromise(commandHelp)) }
  ]
}

/** The pages that are missing or say something else. */
export const outdatedPages = async (): Promise<ReadonlyArray<ReferencePage>> => {
  const pages = await referencePages()
  const texts = await Promise.all(pages.map(({ path }) => readOrEmpty(path)))
  return pages.filter(({ text }, index) => texts[index] !== text)
}

const readOrEmpty = async (path: string): Promise<string> => {
  const file = Bun.file(join(ROOT, path))
  return (await file.exists()) ? file.text() : ""
}

/** Writes the pages. */
export const writePages = async (pages: ReadonlyArray<ReferencePage>): Promise<void> => {
  await Promise.all(pages.map(({ path, text }) => Bun.write(join(ROOT, path), text)))
}
