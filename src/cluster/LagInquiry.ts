import { Effect, type Redacted } from "effect"
import type { NodeList } from "../database/NodeRepository.ts"
import type { NodeLags } from "../http/NodeLags.ts"
import { LAG, nodeHeaders } from "./ForwardedRequest.ts"
import { make as makeCredential } from "./NodeCredential.ts"

/** How long a node may take to say how far it is behind. */
const LAG_LIMIT = "2 seconds"

const lagOf = async (address: string, headers: Headers, signal: AbortSignal): Promise<unknown> => {
  const response = await fetch(`http://${address}${LAG}`, { headers, signal })
  return response.ok ? response.json() : undefined
}

/** Asks the nodes that are there. Those that cannot be reached from here do not say. */
export const nodeLags = Effect.fnUntraced(function* (
  { nodes }: NodeList,
  secret: Redacted.Redacted
): Effect.fn.Return<NodeLags> {
  const headers = nodeHeaders(makeCredential(secret))
  const asked = nodes.filter(({ since }) => since !== undefined)
  const lags = yield* Effect.forEach(
    asked,
    ({ address }) =>
      Effect.timeoutOrElse(
        Effect.promise((signal) => lagOf(address, headers, signal).catch(() => undefined)),
        { duration: LAG_LIMIT, orElse: () => Effect.undefined }
      ),
    { concurrency: "unbounded" }
  )
  return new Map(
    asked.flatMap(({ address }, index) => {
      const lag = lags[index]
      return typeof lag === "number" ? [[address, lag] as const] : []
    })
  )
})
