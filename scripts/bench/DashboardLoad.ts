import { Effect } from "effect"
import type { Browser } from "playwright-core"
import { launched } from "../../test/lib/Chromium.ts"
import { DashboardVisit } from "../../test/lib/DashboardVisit.ts"
import { startProgram } from "./BenchServer.ts"
import type { Bench, Case } from "./Case.ts"
import { KIB } from "./ResidentMemory.ts"
import { spreadOf } from "./Sample.ts"

const ROUNDS = 7
const QUICK_ROUNDS = 1

const PASSWORD = "a long password to look with"

interface Load {
  /** Milliseconds from asking for the page to the first thing seen on it. */
  readonly firstPaint: number
  /** Milliseconds to the page's heading, which its own script writes. */
  readonly heading: number
  /** As transferred, headers included. */
  readonly bytes: number
}

const FIRST_PAINT = 'performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? NaN'

const BYTES =
  '[...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]' +
  ".reduce((sum, { transferSize }) => sum + transferSize, 0)"

/** One visit of a browser that has kept nothing. */
const signInPage = (browser: Browser, url: string) =>
  Effect.scoped(
    Effect.gen(function* () {
      const visit = yield* DashboardVisit.begin(browser, url)
      const begun = performance.now()
      yield* visit.go("/")
      const heading = performance.now() - begun
      const [firstPaint, bytes] = yield* visit.act((page) =>
        Promise.all([page.evaluate<number>(FIRST_PAINT), page.evaluate<number>(BYTES)])
      )
      return { firstPaint, heading, bytes } satisfies Load
    })
  )

/** The overview of somebody who is signed in and comes back: the browser has the files, the answers are asked for. */
const overviews = (browser: Browser, url: string, rounds: number) =>
  Effect.scoped(
    Effect.gen(function* () {
      const visit = yield* DashboardVisit.begin(browser, url)
      yield* visit.register("Bench", "bench@example.com", PASSWORD)
      const loads: Array<number> = []
      for (let round = 0; round < rounds; round++) {
        const begun = performance.now()
        yield* visit.go("/")
        loads.push(performance.now() - begun)
      }
      return loads
    })
  )

const measure = Effect.fnUntraced(function* ({ postgres, quick, say }: Bench) {
  const rounds = quick ? QUICK_ROUNDS : ROUNDS
  const database = yield* postgres.create()
  const { url } = yield* startProgram(postgres, database)
  const browser = yield* launched
  yield* signInPage(browser, url)
  const first: Array<Load> = []
  for (let round = 1; round <= rounds; round++) {
    say(`first load ${round} of ${rounds}`)
    first.push(yield* signInPage(browser, url))
  }
  return { first, again: yield* overviews(browser, url, rounds) }
})

/** What a person waits for, and what is sent, until the dashboard is seen. */
export const dashboardLoad: Case = {
  key: "o",
  title: "dashboard",
  run: (bench) =>
    Effect.map(measure(bench), ({ again, first }) => [
      {
        key: "o",
        what: "dashboard, first load: sent, compressed",
        unit: "KiB",
        ours: spreadOf(first.map(({ bytes }) => bytes / KIB)),
        target: { bound: 300, at: "most" }
      },
      {
        key: "o",
        what: "  until the first contentful paint",
        unit: "ms",
        ours: spreadOf(first.map(({ firstPaint }) => firstPaint)),
        target: { bound: 1_000, at: "most" }
      },
      {
        key: "o",
        what: "  until its heading is there",
        unit: "ms",
        ours: spreadOf(first.map(({ heading }) => heading))
      },
      { key: "o", what: "  the overview again, with every answer", unit: "ms", ours: spreadOf(again) }
    ])
}
