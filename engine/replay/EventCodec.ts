import { Result } from "effect"
import type { ArenaEvent } from "../arena/ArenaEvent.ts"
import { decodeArenaEvent } from "../arena/ArenaEventCodec.ts"
import type { FundsEvent } from "../ledger/FundsEvent.ts"
import { decodeFundsEvent } from "../ledger/FundsEventCodec.ts"
import type { StoredEvent } from "./StoredEvent.ts"

export type ReadEvent =
  | { readonly of: "order"; readonly event: ArenaEvent }
  | { readonly of: "funds"; readonly event: FundsEvent }

const FUNDS_TYPES: ReadonlySet<string> = new Set<FundsEvent["_tag"]>([
  "FundsMinted",
  "CapitalFunded",
  "AllowanceGranted"
])

/** Reads a stored event, or says that no event has these bytes. */
export const readEvent = ({ type, data }: StoredEvent): Result.Result<ReadEvent, string> =>
  Result.try({
    try: (): ReadEvent =>
      FUNDS_TYPES.has(type)
        ? { of: "funds", event: decodeFundsEvent(data) }
        : { of: "order", event: decodeArenaEvent(data) },
    catch: () => "cannot be read as an event of its type"
  })
