/** Draws the report in the browser. The data stands in the page itself. */
import { card, definitions, drawnIn, element, pair } from "./PageElements.ts"
import { competitionChart, pricesChart, traderChart } from "./ReportCharts.ts"
import { ordersTable, tradersTable } from "./ReportTables.ts"
import type { ReportData, ReportOrder, ReportTrader } from "./ReportData.ts"

const count = (value: number): string => value.toLocaleString("en")

const time = (millis: number): string => new Date(millis).toISOString().slice(0, 19).replace("T", " ")

const header = ({ seed, command, startedAt, endedAt }: ReportData): HTMLElement =>
  element("header", {}, [
    element("h1", {}, [`Simulation ${seed}`]),
    element("p", {}, [
      `${time(startedAt)} to ${time(endedAt)} UTC, in simulated time · `,
      element("code", {}, [command])
    ])
  ])

const verdict = ({ violation }: ReportData): HTMLElement =>
  violation === null
    ? element("p", { class: "verdict" }, ["Every rule held after every step."])
    : element("p", { class: "verdict broken" }, [
        element("strong", {}, [violation.invariant]),
        ` did not hold after event ${count(violation.seq)}: ${violation.detail}`
      ])

const figures = (data: ReportData): HTMLElement =>
  element(
    "div",
    { class: "figures" },
    data.figures.map(({ name, value, note }) =>
      element("div", { class: "figure" }, [
        element("span", {}, [name]),
        element("strong", {}, [count(value)]),
        element("small", {}, [note])
      ])
    )
  )

const outcome = ({ status, voided, winner }: ReportOrder): string =>
  voided !== null ? "void" : winner !== null ? "won" : status

const prices = ({ orders }: ReportData): HTMLElement => {
  const drawn = orders.filter(({ at }) => at.length > 1)
  const place = element("div", {}, [])
  const choice = element("select", { "aria-label": "Order" }, []) as HTMLSelectElement
  for (const order of drawn) {
    const label = `${order.order} · ${order.asset} · ${order.commitments} commitments · ${outcome(order)}`
    choice.append(element("option", { value: order.id }, [label]))
  }
  const contested = drawn.reduce<ReportOrder | undefined>(
    (best, order) => (best === undefined || order.commitments > best.commitments ? order : best),
    undefined
  )
  if (contested !== undefined) choice.value = contested.id
  const draw = (): void => {
    const order = drawn.find(({ id }) => id === choice.value)
    place.replaceChildren()
    if (order === undefined) place.append(element("p", { class: "note" }, ["No order was priced."]))
    else pricesChart(place, order)
  }
  choice.addEventListener("change", draw)
  queueMicrotask(draw)
  const note = "The recorded medians of one order from its opening to its settlement; a gap is an unsafe price."
  return card("Prices", note, [place], choice)
}

const perTrader = (
  title: string,
  note: string,
  traders: ReadonlyArray<ReportTrader>,
  of: (one: ReportTrader) => number
) => card(title, note, [drawnIn((place) => traderChart(place, traders, title, of))])

const answers = ({ answers: given, faults }: ReportData): HTMLElement =>
  pair(
    card("Answers", "What submissions were told.", [definitions(given.map(([name, times]) => [name, count(times)]))]),
    card("Faults", "What struck the simulation.", [
      faults.length === 0
        ? element("p", { class: "note" }, ["None was asked for."])
        : definitions(faults.map(({ kind, count: times }) => [kind, count(times)]))
    ])
  )

const foot = ({ stateHash, eventsHash }: ReportData): HTMLElement =>
  element("footer", {}, [
    element("div", {}, ["State ", element("code", {}, [stateHash])]),
    element("div", {}, ["Events ", element("code", {}, [eventsHash])]),
    element("div", {}, ["The same seed gives the same two hashes."])
  ])

const data = JSON.parse(document.querySelector("#data")?.textContent ?? "{}") as ReportData
document.querySelector("#report")?.append(
  header(data),
  verdict(data),
  figures(data),
  prices(data),
  card("Competition", "Commitments to each order and the owners behind them, in the sequence of opening.", [
    drawnIn((place) => competitionChart(place, data.orders))
  ]),
  pair(
    perTrader("Profit", "USD won less lost, best trader first.", data.traders, ({ profit }) => profit),
    perTrader(
      "Collateral",
      "The most USD held at one time, in the same order. Machines are orange.",
      data.traders,
      ({ peak }) => peak
    )
  ),
  pair(
    perTrader("Yield", "USD that the vault paid on collateral.", data.traders, ({ yields }) => yields),
    perTrader("Wins", "Orders won.", data.traders, ({ wins }) => wins)
  ),
  card("Traders", "Choose a column to sort by it.", [tradersTable(data.traders)]),
  card("Orders", "Prices and money in USD.", [ordersTable(data.orders)]),
  answers(data),
  foot(data)
)
