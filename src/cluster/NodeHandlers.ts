import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { Api } from "../api/Api.ts"
import { Settings } from "../Config.ts"
import { unavailableOrDie } from "../database/DatabaseError.ts"
import { nodesNow } from "../database/NodeRepository.ts"
import * as HandlerGroup from "../http/HandlerGroup.ts"
import { nodeLags } from "./NodeLags.ts"

/** The nodes group's handlers. */
export const layer = HandlerGroup.group(
  Api,
  "nodes",
  Effect.fnUntraced(function* (handlers) {
    const { cluster } = yield* Settings
    const list = Effect.provideService(nodesNow, SqlClient, yield* SqlClient)
    return handlers.handleAll({
      listNodes: Effect.fnUntraced(function* () {
        const found = yield* unavailableOrDie(list)
        const lags = cluster === undefined ? undefined : yield* nodeLags(found, cluster.secret)
        return {
          nodes: found.nodes.map(({ address, since, writes }) => ({
            address,
            connected_since: since?.getTime() ?? null,
            writes,
            behind: lags?.get(address) ?? null
          })),
          writer: found.writer ?? null,
          serving_since: found.servingSince?.getTime() ?? null,
          term: Number(found.term),
          unprojected: found.lag
        }
      })
    })
  })
)
