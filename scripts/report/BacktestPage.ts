/** Draws the report of a backtest in the browser. The data stands in the page itself. */
import { assetChart, drawdownChart, equityChart } from "./BacktestCharts.ts"
import type { BacktestBot, BacktestData, BacktestRow } from "./BacktestData.ts"
import { assetsTable, botsTable, decisionsTable } from "./BacktestTables.ts"
import { card, definitions, drawnIn, element, money, pair } from "./PageElements.ts"

const count = (value: number): string => value.toLocaleString("en")

const header = ({ command, from, to }: BacktestData): HTMLElement =>
  element("header", {}, [
    element("h1", {}, ["Backtest"]),
    element("p", {}, [`Daily closes of ${from} to ${to} · `, element("code", {}, [command])])
  ])

const VERDICT_STYLES = { worse: "verdict broken", luck: "verdict luck", better: "verdict" }

const verdict = ({ told, verdict: judged }: BacktestBot): HTMLElement =>
  element("p", { class: VERDICT_STYLES[judged] }, [told])

const figure = (name: string, value: string, note: string): HTMLElement =>
  element("div", { class: "figure" }, [
    element("span", {}, [name]),
    element("strong", {}, [value]),
    element("small", {}, [note])
  ])

const percent = (part: number, whole: number, digits: number): string =>
  whole === 0 ? "–" : `${((100 * part) / whole).toFixed(digits)} %`

const figures = (bot: BacktestBot): HTMLElement =>
  element("div", { class: "figures" }, [
    figure(
      "Profit, USD",
      money(bot.profit),
      `${percent(bot.profit, bot.collateral, 2)} of ${count(bot.collateral)} USD of collateral`
    ),
    figure("Drawdown, USD", money(bot.drawdown), percent(bot.drawdown, bot.collateral, 2)),
    figure("Win rate", percent(bot.won, bot.commitments, 0), `${bot.won} of ${bot.commitments} commitments`),
    figure("Won with a profit", percent(bot.gained, bot.won, 0), `${bot.gained} of ${bot.won} won`),
    figure(
      "Better than random",
      `${bot.random.beaten} of ${bot.random.draws}`,
      `half of them earned at most ${money(bot.random.middle)}`
    ),
    figure(
      "Evaluations",
      count(bot.evaluations),
      bot.unevaluated === 0 ? "one credit each" : `${count(bot.unevaluated)} beyond credit_budget`
    )
  ])

const choice = (label: string, options: ReadonlyArray<string>, onChange: () => void): HTMLSelectElement => {
  const select = element("select", { "aria-label": label }, []) as HTMLSelectElement
  select.append(...options.map((option) => element("option", { value: option }, [option])))
  select.addEventListener("change", onChange)
  return select
}

const ANY_DECISION = "every decision"
const ANY_ASSET = "every asset"

/** The decisions, of which the reader chooses those of an asset or with one reason. */
const decisions = ({ decisions: rows }: BacktestBot): HTMLElement => {
  const place = element("div", {}, [])
  const names = (of: (row: BacktestRow) => string) => [...new Set(rows.map(of))].toSorted()
  const show = (): void => {
    const shown = rows.filter(
      (row) =>
        (code.value === ANY_DECISION || row.code === code.value) &&
        (asset.value === ANY_ASSET || row.asset === asset.value)
    )
    place.replaceChildren(decisionsTable(shown))
  }
  const code = choice("Decision", [ANY_DECISION, ...names((row) => row.code)], show)
  const asset = choice("Asset", [ANY_ASSET, ...names((row) => row.asset)], show)
  if (rows.some((row) => row.code === "commit")) code.value = "commit"
  show()
  const note = "Each saw the closes up to its own day. Point at a decision for its reason."
  return card("Decisions", note, [place], element("div", { class: "tools" }, [code, asset]))
}

const botParts = (bot: BacktestBot): ReadonlyArray<HTMLElement> => [
  verdict(bot),
  figures(bot),
  card(
    "Equity",
    `USD at each close. Nine in ten of ${bot.random.draws} random bidders, as busy as the bot, are in the grey band.`,
    [drawnIn((place) => equityChart(place, bot))]
  ),
  pair(
    card("Drawdown", "USD below the highest equity before.", [drawnIn((place) => drawdownChart(place, bot))]),
    card("Profit by asset", "USD won less lost.", [drawnIn((place) => assetChart(place, bot))])
  ),
  pair(
    card("Assets", "Choose a column to sort by it.", [assetsTable(bot.assets)]),
    card("Strategy", "What it was run with.", [definitions(bot.strategy)])
  ),
  decisions(bot)
]

const data = JSON.parse(document.querySelector("#data")?.textContent ?? "{}") as BacktestData
const place = element("div", {}, [])
const drawBot = (name: string): void => {
  const bot = data.bots.find((one) => one.name === name) ?? data.bots[0]
  if (bot !== undefined) place.replaceChildren(...botParts(bot))
}
const names = data.bots.map(({ name }) => name)
const shownBot: HTMLSelectElement = choice("Bot", names, () => drawBot(shownBot.value))
document
  .querySelector("#report")
  ?.append(
    header(data),
    ...(data.bots.length > 1
      ? [card("Side by side", "Choose the bot that is drawn below.", [botsTable(data.bots)], shownBot)]
      : []),
    place,
    element("footer", {}, [data.assumptions])
  )
drawBot(names[0] ?? "")
