import { Effect } from "effect"
import { CREDIT_ASSET, creditLimitOf } from "../../engine/commerce/PurchaseOrder.ts"
import type { Command } from "../../engine/ledger/Command.ts"
import { custodyOf } from "../../engine/ledger/Funding.ts"
import { fromUnits, ONE } from "../../engine/money/Amount.ts"
import { writeEntry } from "../../src/database/EntryWriting.ts"
import type { TestServer } from "./TestServer.ts"

/** Writes commands to the ledger behind an event that changes nothing else. */
const command = (server: TestServer, one: Command, id: string) =>
  server.run(
    Effect.result(
      writeEntry({
        stream: `test/${id}/${one._tag}`,
        version: 0,
        entry: {
          commands: [one],
          event: { _tag: "CapitalFunded", at: 0, account: "a/USD/wallet", asset: "USD", amount: fromUnits(0n) }
        }
      })
    )
  )

/** Uses so many dollars of a user's limit, as an order on credit does: whether there was enough. */
export const use = (server: TestServer, userId: string, dollars: number, id: string) =>
  Effect.map(
    command(
      server,
      {
        _tag: "Hold",
        id: `credit/${id}/1`,
        account: creditLimitOf(userId),
        into: custodyOf(CREDIT_ASSET),
        amount: fromUnits(BigInt(dollars) * ONE)
      },
      id
    ),
    ({ _tag }) => _tag === "Success"
  )

/** Repays what {@link use} used. */
export const repay = (server: TestServer, id: string) =>
  Effect.asVoid(command(server, { _tag: "Release", hold: `credit/${id}/1` }, id))
