import { Effect } from "effect"
import { nodeHeaders } from "./ForwardedRequest.ts"
import type { NodeCredential } from "./NodeCredential.ts"
import type { Nodes } from "./Nodes.ts"

/** How long an answer may take. */
const ANSWER_LIMIT = "3 seconds"

const asked = async (signal: AbortSignal, url: string, credential: NodeCredential, body: string): Promise<string> => {
  const response = await fetch(url, { method: "POST", headers: nodeHeaders(credential), body, signal })
  return response.ok ? response.text() : ""
}

/** Asks the node that writes at one of its paths, text for text. The answer is empty where it gives none now. */
export const makeWriterInquiry = ({ writer }: Nodes["Service"], credential: NodeCredential, path: string) =>
  Effect.fnUntraced(function* (text: string) {
    const address = writer()?.address
    if (address === undefined) return ""
    return yield* Effect.promise((signal) =>
      asked(signal, `http://${address}${path}`, credential, text).catch(() => "")
    ).pipe(Effect.timeoutOrElse({ duration: ANSWER_LIMIT, orElse: () => Effect.succeed("") }))
  })
