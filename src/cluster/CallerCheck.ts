/** Whether callers of other nodes are still who they said, which the node that writes knows. */

import { Effect, Exit, Request, RequestResolver, Schema } from "effect"
import { StreamAuthentication } from "../stream/StreamAuthentication.ts"
import { makeWriterInquiry } from "./WriterInquiry.ts"
import { CALLERS } from "./ForwardedRequest.ts"
import type { NodeCredential } from "./NodeCredential.ts"
import type { Nodes } from "./Nodes.ts"

/** Who a connection speaks for, and the headers that it authenticated with. */
export const Claim = Schema.Struct({ userId: Schema.String, proof: Schema.Record(Schema.String, Schema.String) })

type Claim = typeof Claim.Type

const Claims = Schema.fromJsonString(Schema.Array(Claim))
const Verdicts = Schema.fromJsonString(Schema.Array(Schema.Boolean))

const encodeClaims = Schema.encodeSync(Claims)
const decodeClaims = Schema.decodeUnknownEffect(Claims)
const encodeVerdicts = Schema.encodeSync(Verdicts)
const decodeVerdicts = Schema.decodeUnknownEffect(Verdicts)

/** Claims that are looked at together. */
const AT_ONCE = 16

/** Answers which of the claims in a text hold. */
export type CheckCallers = (text: string) => Effect.Effect<string, Schema.SchemaError>

/** By the sign-ins of this process. */
export const checkCallers: Effect.Effect<CheckCallers, never, StreamAuthentication> = Effect.map(
  StreamAuthentication,
  ({ callerOf }) => {
    const holds = ({ proof, userId }: Claim) =>
      Effect.match(callerOf(new Headers(proof)), {
        onSuccess: (caller) => caller?.principal.userId === userId,
        onFailure: ({ code }) => code === "unavailable"
      })
    return (text) =>
      Effect.map(
        Effect.flatMap(decodeClaims(text), (claims) => Effect.forEach(claims, holds, { concurrency: AT_ONCE })),
        encodeVerdicts
      )
  }
)

class Check extends Request.TaggedClass("Check")<{ readonly claim: Claim }, boolean> {}

/** Asks the node that writes whether a claim still holds; true where that cannot be told now. Asks for many at once. */
export const makeCallerCheck = (
  nodes: Nodes["Service"],
  credential: NodeCredential
): ((claim: Claim) => Effect.Effect<boolean>) => {
  const ask = makeWriterInquiry(nodes, credential, CALLERS)
  const resolver = RequestResolver.make<Check>((entries) => {
    const claims = entries.map(({ request }) => request.claim)
    const verdicts = Effect.flatMap(ask(encodeClaims(claims)), decodeVerdicts).pipe(
      Effect.catch(() => Effect.succeed([]))
    )
    return Effect.map(verdicts, (known: ReadonlyArray<boolean>) => {
      for (const [index, entry] of entries.entries()) entry.completeUnsafe(Exit.succeed(known[index] ?? true))
    })
  })
  return (claim) => Effect.request(new Check({ claim }), resolver)
}
