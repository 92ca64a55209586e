import { describe, expect } from "bun:test"
import { Effect } from "effect"
import type { Scope } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Browser } from "playwright-core"
import { makeScenario, type ScenarioSpec } from "../../../engine/simulation/Scenario.ts"
import { simulate } from "../../../engine/simulation/Simulation.ts"
import { readArguments } from "../../../engine/simulation/SimulationArguments.ts"
import { buildSimulation } from "../../../scripts/BuiltSimulation.ts"
import type { FromWorker, ToWorker } from "../../../src/dashboard/app/simulation/RecordingMessage.ts"
import { launched } from "../../lib/Chromium.ts"
import { DashboardVisit } from "../../lib/DashboardVisit.ts"
import { itLive as it } from "../../lib/Effects.ts"
import { environment } from "../../lib/Simulations.ts"
import { temporaryFolder } from "../../lib/TemporaryFolder.ts"

const PATIENCE = 120_000

/** The static folder on a host that knows nothing of it, with another worker if one is given. */
const hosted = Effect.fnUntraced(function* (worker?: string): Effect.fn.Return<string, never, Scope.Scope> {
  const folder = yield* temporaryFolder
  yield* Effect.promise(() => buildSimulation(folder))
  const page = yield* Effect.promise(() => Bun.file(join(folder, "index.html")).text())
  const name = /name="simulation-worker" content="\.\/([^"]+)"/.exec(page)?.[1] ?? ""
  if (worker !== undefined) {
    const built = yield* Effect.promise(() => Bun.build({ entrypoints: [worker], target: "browser" }))
    const text = yield* Effect.promise(() => built.outputs[0]?.text() ?? Promise.resolve(""))
    writeFileSync(join(folder, name), text)
  }
  const serve = () =>
    Bun.serve({
      port: 0,
      fetch: ({ url }) => {
        const { pathname } = new URL(url)
        return new Response(
          Bun.file(join(folder, pathname.replace(/^\/any\/place\/$/, "index.html").replace("/any/place", "")))
        )
      }
    })
  const server = yield* Effect.acquireRelease(Effect.sync(serve), (serving) => Effect.promise(() => serving.stop(true)))
  return `http://127.0.0.1:${server.port}/any/place/`
})

/** Opens the page at a link, and waits for the end of its simulation. */
const opened = Effect.fnUntraced(function* (browser: Browser, url: string, looking = {}) {
  const visit = yield* DashboardVisit.begin(browser, url, looking)
  yield* visit.act((page) => page.goto(url))
  yield* ended(visit)
  return visit
})

const ended = (visit: DashboardVisit) =>
  visit.act(async (page) => {
    await page
      .getByText(/^[0-9a-f]{64}$/)
      .nth(1)
      .waitFor()
    await page.getByRole("slider").waitFor()
    await page.getByRole("heading", { name: /^Price of/ }).waitFor()
  })

const hashes = (visit: DashboardVisit) =>
  visit.act(async (page) => [
    await page.locator("[data-hash=events]").textContent(),
    await page.locator("[data-hash=state]").textContent()
  ])

const commandOn = (visit: DashboardVisit) =>
  visit.act((page) => page.locator(".copy-field code").first().textContent().then(String))

/** What the command on the page gives where it is run. */
const replayed = (command: string) => {
  const read = readArguments(command.replace("npm run sim -- ", "").split(" "))
  if (typeof read === "string" || "nodes" in read.spec) throw new Error(command)
  return simulate(makeScenario(read.spec), environment)
}

/** Twenty seeds of many kinds. */
const SPECS = Array.from({ length: 20 }, (_, seed): ScenarioSpec => {
  const rule = (["weighted", "quorum", "turnout"] as const)[seed % 3] ?? "weighted"
  const usual = { seed: 100 + seed, orders: 4, traders: 4, faults: seed % 4 !== 0, rule }
  return { ...usual, ...(seed % 5 === 0 && { bots: 2 }), ...(seed % 7 === 0 && { depth: 3 }) }
})

/** What the page's own worker gives for scenarios, one after the other. */
const workerHashes = (visit: DashboardVisit, specs: ReadonlyArray<ScenarioSpec>) =>
  visit.act((page) =>
    page.evaluate(async (all) => {
      const address = document.querySelector<HTMLMetaElement>("meta[name=simulation-worker]")?.content ?? ""
      const worker = new Worker(address, { type: "module" })
      const told: Array<ReadonlyArray<string>> = []
      for (const [run, spec] of all.entries()) {
        worker.postMessage({ _tag: "Open", run, spec } satisfies ToWorker, [])
        told.push(
          await new Promise((resolve) => {
            worker.addEventListener("message", ({ data }: MessageEvent<FromWorker>) => {
              if (data._tag !== "Progress" || data.run !== run || data.outcome === undefined) return
              resolve([data.outcome.eventsHash, data.outcome.stateHash])
            })
          })
        )
      }
      worker.terminate()
      return told
    }, specs)
  )

describe("The simulation in a browser", () => {
  it(
    "gives the hashes of the command for twenty seeds, and with faults by a press",
    () =>
      Effect.gen(function* () {
        const url = yield* hosted()
        const visit = yield* opened(yield* launched, `${url}#seed=14&orders=8&traders=5&faults`)
        expect(yield* workerHashes(visit, SPECS)).toEqual(
          SPECS.map((spec) => simulate(makeScenario(spec), environment)).map(({ eventsHash, stateHash }) => [
            eventsHash,
            stateHash
          ])
        )
        yield* visit.act(async (page) => {
          await page.getByRole("slider").fill("20")
          await page.getByRole("button", { name: "End the process" }).click()
          await page.getByText("Restart after step 20").waitFor()
          await page.getByRole("button", { name: "Next step" }).click()
          await page.getByRole("button", { name: "Delay messages" }).click()
          await page.getByText("Delay after step 21").waitFor()
        })
        yield* ended(visit)
        const command = yield* commandOn(visit)
        expect(command).toEndWith("--strikes 20:restart,21:delay:for=20000:by=10000")
        const { eventsHash, stateHash } = replayed(command)
        expect(yield* hashes(visit)).toEqual([eventsHash, stateHash])
        expect(visit.complaints).toEqual([])
      }),
    PATIENCE
  )

  it(
    "opens a failing seed by its link, at the step that fails, in any window and look",
    () =>
      Effect.gen(function* () {
        const url = yield* hosted(join(import.meta.dir, "../../lib/PlantedSimulationWorker.ts"))
        const browser = yield* launched
        for (const looking of [{ dark: true }, { width: 390, height: 844 }]) {
          const visit = yield* opened(browser, `${url}#seed=12&orders=4&traders=4`, looking)
          yield* visit.act((page) => page.getByText("Rule broken").waitFor())
          const { max, value } = yield* visit.act((page) =>
            page.getByRole("slider").evaluate(({ max, value }: HTMLInputElement) => ({ max, value }))
          )
          expect(value).toBe(max)
          expect(yield* visit.violations).toEqual([])
          expect(yield* visit.overflow).toBe(0)
          yield* visit.act(async (page) => {
            await page.getByRole("slider").focus()
            await page.keyboard.press("ArrowLeft")
            await page.getByText("Every rule held up to this step.").waitFor()
            await page.getByRole("button", { name: "Play" }).press("Enter")
            await page.getByText("Rule broken").waitFor()
          })
          expect(visit.complaints).toEqual([])
        }
      }),
    PATIENCE
  )
})
