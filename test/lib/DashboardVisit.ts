import { source as axe } from "axe-core"
import { Effect } from "effect"
import type { Scope } from "effect"
import type { Browser, Page } from "playwright-core"

/** How somebody looks at the dashboard. */
interface Looking {
  /** Of the window, in pixels; 1440 by default. */
  readonly width?: number
  readonly height?: number
  readonly dark?: boolean
}

/** A rule of accessibility that a page breaks. */
interface Violation {
  readonly id: string
  readonly impact: string
  readonly where: ReadonlyArray<string>
}

interface AxeResults {
  readonly violations: ReadonlyArray<{
    readonly id: string
    readonly impact: string | null
    readonly nodes: ReadonlyArray<{ readonly html: string; readonly failureSummary?: string }>
  }>
}

/** Messages that tell of a refusal that the page itself shows. */
const EXPECTED = /Failed to load resource: the server responded with a status of 4\d\d/

/** One window on the dashboard, signed in or not. What its console complained about is kept. */
export class DashboardVisit {
  readonly page: Page
  readonly complaints: Array<string> = []
  readonly #base: string

  private constructor(page: Page, base: string) {
    this.page = page
    this.#base = base
    page.on("console", (message) => {
      if (message.type() === "error" && !EXPECTED.test(message.text())) this.complaints.push(message.text())
    })
    page.on("pageerror", (error) => this.complaints.push(String(error)))
  }

  /** Opens a window of its own, with no cookies. Closed with the scope. */
  static readonly begin = (
    browser: Browser,
    base: string,
    { dark = false, height = 900, width = 1440 }: Looking = {}
  ): Effect.Effect<DashboardVisit, never, Scope.Scope> =>
    Effect.acquireRelease(
      Effect.promise(() =>
        browser.newContext({
          viewport: { width, height },
          colorScheme: dark ? "dark" : "light",
          reducedMotion: "reduce",
          timezoneId: "UTC"
        })
      ),
      (context) => Effect.promise(() => context.close())
    ).pipe(
      Effect.flatMap((context) => Effect.promise(() => context.newPage())),
      Effect.map((page) => new DashboardVisit(page, base))
    )

  /** Runs what Playwright does. */
  act<A>(run: (page: Page) => Promise<A>): Effect.Effect<A> {
    return Effect.promise(() => run(this.page))
  }

  /** Goes to a page such as `/clients`, and waits until nothing on it is still loading. */
  go(path: string): Effect.Effect<void> {
    return this.act(async (page) => {
      await page.goto(`${this.#base}/dashboard${path}`)
      await page.locator("h1").first().waitFor()
    }).pipe(Effect.andThen(this.settled))
  }

  /** Waits until nothing on the page is still loading. */
  get settled(): Effect.Effect<void> {
    return this.act((page) =>
      page.waitForFunction(() => document.querySelector(".waiting, .asking, .spinner") === null).then(() => undefined)
    )
  }

  /** Makes an account and is signed in with it after. */
  register(company: string, email: string, password: string): Effect.Effect<void> {
    return this.go("/register").pipe(
      Effect.andThen(
        this.act(async (page) => {
          await page.getByLabel("Company").fill(company)
          await page.getByLabel("Your name").fill("Ada Lindgren")
          await page.getByLabel("Email").fill(email)
          await page.getByLabel("Password").fill(password)
          await page.getByRole("button", { name: "Create account" }).click()
          await page.getByRole("heading", { name: "Overview" }).waitFor()
        })
      ),
      Effect.andThen(this.settled)
    )
  }

  /** Signs in, and waits for the overview. */
  signIn(email: string, password: string): Effect.Effect<void> {
    return this.go("/").pipe(
      Effect.andThen(
        this.act(async (page) => {
          await page.getByLabel("Email").fill(email)
          await page.getByLabel("Password").fill(password)
          await page.getByRole("button", { name: "Sign in" }).click()
          await page.getByRole("heading", { name: "Overview" }).waitFor()
        })
      ),
      Effect.andThen(this.settled)
    )
  }

  /** What axe finds on the page as it is now that is serious or worse. */
  get violations(): Effect.Effect<ReadonlyArray<Violation>> {
    return this.act(async (page) => {
      await page.evaluate(axe)
      const { violations } = (await page.evaluate("axe.run(document, { resultTypes: ['violations'] })")) as AxeResults
      return violations
        .filter(({ impact }) => impact === "serious" || impact === "critical")
        .map(({ id, impact, nodes }) => ({
          id,
          impact: impact ?? "",
          where: nodes.map(({ failureSummary = "", html }) => `${html.slice(0, 160)} ${failureSummary}`)
        }))
    })
  }

  /** Pixels by which the page is wider than its window, or what is in a card wider than the card: none, where all fits. */
  get overflow(): Effect.Effect<number> {
    return this.act((page) =>
      page.evaluate(() =>
        Math.max(
          ...[document.documentElement, ...document.querySelectorAll(".card")].map(
            ({ clientWidth, scrollWidth }) => scrollWidth - clientWidth
          )
        )
      )
    )
  }
}
