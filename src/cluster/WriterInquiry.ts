/** Asks the node that writes at one of its paths, text for text. */

import { Effect, Semaphore } from "effect"
import { nodeHeaders } from "./ForwardedRequest.ts"
import type { NodeCredential } from "./NodeCredential.ts"
import type { Nodes } from "./Nodes.ts"

/** How long an answer may take. */
const ANSWER_LIMIT = "3 seconds"

/** Questions at one path that are under way at once; others wait. The runtime sends 256 requests of a process in all. */
export const MAX_ASKING = 24

const asked = async (signal: AbortSignal, url: string, credential: NodeCredential, body: string): Promise<string> => {
  const response = await fetch(url, { method: "POST", headers: nodeHeaders(credential), body, signal })
  return response.ok ? response.text() : ""
}

/** Asks at a path. The answer is empty where it gives none now. */
export const makeWriterInquiry = ({ writer }: Nodes["Service"], credential: NodeCredential, path: string) => {
  const places = Semaphore.makeUnsafe(MAX_ASKING)
  return Effect.fnUntraced(function* (text: string) {
    const address = writer()?.address
    if (address === undefined) return ""
    return yield* Effect.promise((signal) =>
      asked(signal, `http://${address}${path}`, credential, text).catch(() => "")
    ).pipe(places.withPermit, Effect.timeoutOrElse({ duration: ANSWER_LIMIT, orElse: () => Effect.succeed("") }))
  })
}
