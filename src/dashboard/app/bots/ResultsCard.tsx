import { useQuery } from "@tanstack/react-query"
import { useMemo } from "react"
import { call } from "../ApiCalls.ts"
import { ASSET_TYPE_NAMES } from "../arena/ArenaOrder.ts"
import { Profit } from "../arena/Figures.tsx"
import { profitText } from "../arena/Quote.ts"
import { useApi } from "../Data.ts"
import { Card } from "../ui/Card.tsx"
import { Chart } from "../ui/Chart.tsx"
import { count, timeOf } from "../ui/Format.ts"
import { Empty, Loaded } from "../ui/States.tsx"
import { Table } from "../ui/Table.tsx"
import type { Bot } from "./BotDraft.ts"
import {
  type BotCommitment,
  byAssetType,
  coverageOf,
  earnedOver,
  OLDER_FROM,
  olderOffsets,
  PAGE,
  together
} from "./BotPerformance.ts"

/** How often the newest commitments are asked for again, in milliseconds. */
const EVERY = 4_000

/** How long older ones are shown again without being asked for anew: few of them still change. */
const OLDER_FRESH = 60_000

const PATH = "GET /api/arena/machine-traders/:bot_id/commitments"

/** Page after page: a browser that asked for all at once would use up its minute's requests. */
const readOlder = async (botId: string, total: number): Promise<ReadonlyArray<BotCommitment>> => {
  const found: Array<BotCommitment> = []
  for (const offset of olderOffsets(total)) {
    const query = { limit: String(PAGE), offset: String(offset) }
    found.push(...(await call(PATH, { params: { bot_id: botId }, query })).body.commitments)
  }
  return found
}

/** Older commitments than the newest page. Asked for anew before so many are new that some would be missing. */
const useOlder = ({ bot_id: botId, total_commitments: total }: Bot): ReadonlyArray<BotCommitment> | undefined =>
  useQuery({
    queryKey: ["older commitments", botId, Math.floor(total / OLDER_FROM)],
    queryFn: () => readOlder(botId, total),
    enabled: total > PAGE,
    staleTime: OLDER_FRESH,
    refetchInterval: OLDER_FRESH,
    placeholderData: (before) => before
  }).data

const Coverage = ({ bot, rows }: { readonly bot: Bot; readonly rows: ReadonlyArray<BotCommitment> }) => {
  const { first, isAll, shown } = coverageOf(rows, bot.total_commitments)
  if (first === undefined) return null
  return (
    <p className="soft">
      {isAll
        ? `Of all ${count(shown)} commitments, since ${timeOf(first)}.`
        : `Of the last ${count(shown)} of ${count(bot.total_commitments)} commitments, since ${timeOf(first)}. The curve begins at what was made before.`}
    </p>
  )
}

/** What a bot made over time, and of each kind of order. */
export const Results = ({ bot }: { readonly bot: Bot }) => {
  const newest = useApi(PATH, { params: { bot_id: bot.bot_id }, query: { limit: String(PAGE) } }, { every: EVERY })
  const older = useOlder(bot)
  const rows = useMemo(() => together(newest.data?.commitments ?? [], older ?? []), [newest.data, older])
  const points = useMemo(() => earnedOver(rows, bot.profit_loss), [rows, bot.profit_loss])
  const lines = useMemo(() => [{ name: "Profit and loss", points }], [points])
  return (
    <Card title="Profit and loss" flush>
      <Loaded of={newest} lines={6}>
        {() =>
          points.length < 2 ? (
            <Empty icon="chart" title="Nothing to draw yet">
              The curve begins with its second decided commitment.
            </Empty>
          ) : (
            <>
              <div className="drawn">
                <Chart label="Profit and loss over time" lines={lines} format={profitText} height={220} />
                <Coverage bot={bot} rows={rows} />
              </div>
              <Table
                label="Results by kind of order"
                rows={byAssetType(rows)}
                keyOf={({ assetType }) => assetType}
                columns={[
                  { title: "Kind", cell: ({ assetType }) => ASSET_TYPE_NAMES[assetType] },
                  { title: "Won", align: "right", cell: ({ decided, won }) => `${count(won)} of ${count(decided)}` },
                  { title: "Profit", align: "right", cell: ({ profit }) => <Profit value={profit} /> }
                ]}
              />
            </>
          )
        }
      </Loaded>
    </Card>
  )
}
