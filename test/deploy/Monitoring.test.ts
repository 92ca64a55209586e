import { describe, expect, it } from "bun:test"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import dashboard from "../../deploy/grafana-dashboard.json" with { type: "json" }

const root = join(import.meta.dir, "../..")
const read = (path: string): string => readFileSync(join(root, path), "utf8")

/** Metrics by name, with their kind: from the reference, which is made of the code. */
const METRICS: ReadonlyMap<string, string> = new Map(
  [...read("docs/reference/metrics.md").matchAll(/^\| `(\w+)` \| (\w+) \|/gm)].map(([, name = "", kind = ""]) => [
    name,
    kind
  ])
)

/** What Prometheus itself records of each scrape. */
const OWN = new Set(["up"])

const OURS = /\b(?:emporion|http|rpc)_\w+|\bup\b/g

/** The metrics that an expression reads, by the names in the reference; `undefined` for one that there is not. */
const metricsOf = (expression: string): ReadonlyArray<readonly [string, string | undefined]> =>
  [...expression.replaceAll(/"[^"]*"/g, '""').matchAll(OURS)].map(([name]) => {
    if (OWN.has(name) || (METRICS.has(name) && METRICS.get(name) !== "histogram")) return [name, name]
    const base = name.replace(/_(bucket|sum|count)$/, "")
    return [name, base !== name && METRICS.get(base) === "histogram" ? base : undefined]
  })

const unknown = (expressions: ReadonlyArray<string>): ReadonlyArray<string> =>
  expressions.flatMap((one) => metricsOf(one).flatMap(([name, known]) => (known === undefined ? [name] : [])))

const shown = dashboard.panels.flatMap((panel) => ("targets" in panel ? panel.targets.map(({ expr }) => expr) : []))

interface Rule {
  readonly alert: string
  readonly expr: string
  readonly labels: { readonly severity: string }
  readonly annotations: { readonly summary: string; readonly action: string }
}

const { groups } = Bun.YAML.parse(read("deploy/prometheus-alerts.yaml")) as {
  readonly groups: ReadonlyArray<{ readonly rules: ReadonlyArray<Rule> }>
}
const rules = groups.flatMap((group) => group.rules)

describe("The files for Prometheus and Grafana", () => {
  it("read no metric that there is not", () => {
    expect(METRICS.size).toBeGreaterThan(20)
    expect([shown.length > 20, rules.length > 10]).toEqual([true, true])
    expect(unknown(shown)).toEqual([])
    expect(unknown(rules.map(({ expr }) => expr))).toEqual([])
  })

  it("would be caught if they did", () => {
    const broken = [
      "rate(emporion_gone_total[5m])",
      "emporion_journal_group_entries",
      "emporion_nodes_bucket",
      "http_requests"
    ]
    expect(unknown(broken)).toEqual([
      "emporion_gone_total",
      "emporion_journal_group_entries",
      "emporion_nodes_bucket",
      "http_requests"
    ])
  })

  it("show every metric", () => {
    const read = new Set(shown.flatMap((one) => metricsOf(one).map(([, name]) => name)))
    expect([...METRICS.keys()].filter((name) => !read.has(name))).toEqual([])
  })

  it("say of each alert what to do, and whom it wakes", () => {
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
    for (const { annotations, labels } of rules) {
      expect(["page", "ticket"]).toContain(labels.severity)
      expect(annotations.summary.length * annotations.action.length).toBeGreaterThan(0)
    }
  })

  it("lay no panel over another", () => {
    const taken = new Set<string>()
    for (const { gridPos } of dashboard.panels) {
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++) {
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
          expect(taken.has(`${x} ${y}`)).toBe(false)
          taken.add(`${x} ${y}`)
        }
      }
    }
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length)
  })
})
