import type { Recorded } from "../actor/Journal.ts"
import type { BotState } from "../bots/Bot.ts"
import { ensure, set, type TableRow } from "../journal/TableRow.ts"
import { STATE_COLUMNS, type StateRow } from "../replay/StateTable.ts"
import type { MachineTraderRegistered, MachineTraderRetired } from "./MachineTraderRegistration.ts"

/** A PostgreSQL array as text. No asset type has anything in it that is quoted. */
const arrayText = (values: ReadonlyArray<string>): string => `{${values.join(",")}}`

/** A row of `machine_traders` as it was registered. */
export const registeredRow = (event: MachineTraderRegistered): StateRow => ({
  table: "machine_traders",
  values: [
    event.traderId,
    event.agentId,
    event.agentUri,
    event.owner,
    event.userId,
    event.walletAddress,
    arrayText(event.capabilities),
    `${event.collateralAllocated}`,
    event.model,
    event.riskTolerance,
    "active",
    `${event.activeFrom}`,
    null
  ]
})

const retired = ({ at }: MachineTraderRetired) => ({ status: "terminated", active_until: `${at}` })

/** The row of one that was registered, once it is retired. */
export const retiredRow = (registered: StateRow, event: MachineTraderRetired): StateRow => {
  const columns: Readonly<Record<string, string>> = retired(event)
  return {
    table: registered.table,
    values: STATE_COLUMNS.machine_traders.map((column, index) => columns[column] ?? registered.values[index] ?? null)
  }
}

/** Its row is there: it was registered. */
export const retiredRows = ({ event }: Recorded<MachineTraderRetired>): ReadonlyArray<TableRow> => [
  set("machine_traders", event.traderId, retired(event))
]

/** One that was registered before that was recorded has its row. */
export const registeredRows = ({ event }: Recorded<MachineTraderRegistered>): ReadonlyArray<TableRow> => [
  ensure(registeredRow(event))
]

/**
 * A row of `machine_traders` for a bot, which is its own agent.
 *
 * @param risk - the preset that it was made with
 */
export const botTraderRow = (
  { botId, companyId, profile, standing, userId, walletAddress }: BotState,
  risk: string
): StateRow => ({
  table: "machine_traders",
  values: [
    botId,
    botId,
    "",
    companyId,
    userId,
    walletAddress,
    arrayText(profile.capabilities),
    "0",
    "bot",
    risk,
    standing.status,
    null,
    null
  ]
})
