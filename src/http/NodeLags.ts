import { Context, Effect } from "effect"
import type { NodeList } from "../database/NodeRepository.ts"

/** How far nodes are behind the one that writes, in events, by their addresses. */
export type NodeLags = ReadonlyMap<string, number>

/** Asks nodes how far they are behind. A server that is alone asks nobody. */
export const AskLags = Context.Reference<(found: NodeList) => Effect.Effect<NodeLags>>("emporion/http/AskLags", {
  defaultValue: () => () => Effect.succeed(new Map())
})
