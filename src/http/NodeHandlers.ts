import { Effect } from "effect"
import { Api } from "../api/Api.ts"
import { unavailableOrDie } from "../database/DatabaseError.ts"
import { nodesSource } from "../database/NodeRepository.ts"
import * as HandlerGroup from "./HandlerGroup.ts"
import { AskLags } from "./NodeLags.ts"

/** The nodes group's handlers. */
export const layer = HandlerGroup.group(
  Api,
  "nodes",
  Effect.fnUntraced(function* (handlers) {
    const list = yield* nodesSource
    const askLags = yield* AskLags
    return handlers.handleAll({
      listNodes: Effect.fnUntraced(function* () {
        const found = yield* unavailableOrDie(list)
        const lags = yield* askLags(found)
        return {
          nodes: found.nodes.map(({ address, since, writes }) => ({
            address,
            connected_since: since?.getTime() ?? null,
            writes,
            behind: lags.get(address) ?? null
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
