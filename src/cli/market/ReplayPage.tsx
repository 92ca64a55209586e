import { Effect } from "effect"
import { join } from "node:path"
import { renderToStaticMarkup } from "react-dom/server"
import type { AuctionOutcome } from "../../../engine/market/AuctionOutcome.ts"
import { type Amount, toNumber } from "../../../engine/money/Amount.ts"
import { isoUtc } from "../../api/Timestamp.ts"
import { PageBundler, type PageSource } from "../../runtime/PageBundler.ts"
import type { ReplayReport } from "./ReplayReport.ts"
import { ASSUMPTIONS, money, nameOf, periodOf, unclear, usd } from "./ReplayText.ts"

/** What the page's charts are drawn of. Times are in seconds since 1970, money in USD. */
export interface ChartData {
  readonly balance: {
    readonly at: ReadonlyArray<number>
    readonly program: ReadonlyArray<number>
    readonly best: ReadonlyArray<number>
  }
  readonly profits: { readonly at: ReadonlyArray<number>; readonly profit: ReadonlyArray<number> }
}

const PAGE = join(import.meta.dirname, "page")

/** The script and the style of the page. */
export const REPLAY_PAGE: PageSource = {
  name: "replay",
  entries: [join(PAGE, "Charts.ts"), join(PAGE, "Replay.css")],
  publicPath: "/"
}

/** Nothing is loaded from anywhere, and nothing may be. */
const POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:"

/** Auctions in the table, the last ones. */
const MOST_ROWS = 1_000

const seconds = (millis: number): number => Math.floor(millis / 1_000)

const chartData = ({ entered, points }: ReplayReport): ChartData => {
  const profits = new Map<number, number>()
  for (const { endedAt, profit, won } of entered) {
    const at = seconds(endedAt)
    if (won && profit !== null) profits.set(at, (profits.get(at) ?? 0) + toNumber(profit))
  }
  return {
    balance: {
      at: points.map(({ at }) => seconds(at)),
      program: points.map(({ balance }) => toNumber(balance)),
      best: points.map(({ best }) => toNumber(best))
    },
    profits: { at: [...profits.keys()], profit: [...profits.values()] }
  }
}

const Figure = ({ name, note, value }: { readonly name: string; readonly value: string; readonly note: string }) => (
  <div>
    <span className="soft">{name}</span>
    <strong>{value}</strong>
    <span className="soft">{note}</span>
  </div>
)

const toneOf = (profit: Amount | null): string =>
  profit === null ? "" : profit < 0n ? "bad" : profit > 0n ? "good" : ""

const Row = ({ outcome }: { readonly outcome: AuctionOutcome }) => {
  const { best, clearingPrice, own, profit, settlementAt, settlementPrice, won } = outcome
  const first = own.toSorted((one, other) => (one.rank ?? Infinity) - (other.rank ?? Infinity))[0]
  return (
    <tr>
      <td>{isoUtc(settlementAt).slice(0, 16).replace("T", " ")}</td>
      <td>{nameOf(outcome)}</td>
      <td>{money(outcome.entryPrice)}</td>
      <td>{money(first?.proposedPrice ?? null)}</td>
      <td>{won ? "won" : (first?.rank ?? outcome.end)}</td>
      <td>{won ? "" : (first?.reason ?? "")}</td>
      <td>{clearingPrice === null ? "" : money(clearingPrice)}</td>
      <td>{settlementPrice === null ? "" : money(settlementPrice)}</td>
      <td className={toneOf(won ? profit : null)}>{won ? money(profit) : ""}</td>
      <td>{best === null ? "none" : money(best.proposedPrice)}</td>
      <td>{best === null ? "" : money(best.profit)}</td>
    </tr>
  )
}

const HEAD = [
  "Settled",
  "Asset",
  "Entry price",
  "Best own bid",
  "Place",
  "Lost by",
  "Winner pays",
  "Sold at",
  "Profit",
  "Best bid",
  "Its profit"
]

const count = (number: number): string => number.toLocaleString("en")

const Auctions = ({ entered }: { readonly entered: ReadonlyArray<AuctionOutcome> }) => (
  <section className="card">
    <h2>Auctions that the program entered</h2>
    {entered.length > MOST_ROWS && <p className="soft">The last {count(MOST_ROWS)}.</p>}
    <div className="scroll">
      <table>
        <thead>
          <tr>
            {HEAD.map((name) => (
              <th key={name}>{name}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {entered
            .slice(-MOST_ROWS)
            .toReversed()
            .map((outcome) => (
              <Row key={outcome.orderId} outcome={outcome} />
            ))}
        </tbody>
      </table>
    </div>
  </section>
)

const Content = ({ report }: { readonly report: ReplayReport }) => {
  const { about, entered, summary } = report
  const open = unclear(report)
  const share = ((Number(summary.profit) * 100) / Number(about.balance)).toFixed(2)
  return (
    <main>
      <h1>Would {about.program} have won?</h1>
      <p className="soft">
        {about.place}: {periodOf(about.days)}
      </p>
      <p>
        <code>{about.command}</code>
      </p>
      <div className="figures">
        <Figure name="Profit" value={`${usd(summary.profit)} USD`} note={`${share} % of ${usd(about.balance)}`} />
        <Figure
          name="Won"
          value={count(summary.won)}
          note={`of ${count(summary.entered)} entered, ${count(summary.gained)} with a profit`}
        />
        <Figure name="Deepest fall" value={usd(summary.drawdown)} note="USD below a height before" />
        <Figure name="Best bids" value={usd(summary.bestProfit)} note={`USD in ${count(summary.winnable)} auctions`} />
        <Figure
          name="As published"
          value={`${count(summary.reproduced)} of ${count(summary.chosen)}`}
          note="choices made again, nothing changed"
        />
      </div>
      {open !== "" && <p className="soft">Unclear: {open}.</p>}
      <section className="card">
        <h2>Balance, and what the best bids would have made of it</h2>
        <div id="balance" className="chart" role="img" aria-label="The balance over time" />
      </section>
      <section className="card">
        <h2>Profit of the auctions won, USD</h2>
        <div
          id="profits"
          className="chart"
          role="img"
          aria-label="The profit of the auctions won, by the time of their end"
        />
      </section>
      <Auctions entered={entered} />
      <p className="soft">{ASSUMPTIONS.join(" ")}</p>
    </main>
  )
}

/** Text that ends no element that it stands in. */
const inScript = (text: string): string => text.replaceAll("</", String.raw`<\/`)

/** A replay as one page that needs no other file. */
export const replayPage = Effect.fn("cli.replayPage")(function* (report: ReplayReport) {
  const { entry, files } = yield* (yield* PageBundler).bundle(REPLAY_PAGE)
  const style = [...files].flatMap(([name, { text }]) => (name.endsWith(".css") ? [text] : [])).join("\n")
  const data = JSON.stringify(chartData(report)).replaceAll("<", String.raw`\u003c`)
  const body = renderToStaticMarkup(<Content report={report} />)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<title>Market replay · Emporion</title>
<style>${style}</style>
</head>
<body>
${body}
<script type="application/json" id="data">${data}</script>
<script type="module">${inScript(files.get(entry)?.text ?? "")}</script>
</body>
</html>
`
})
