/** How the node that writes lets somebody connect to another one: as if it were to itself, but for the connection. */

import { Effect, Schema } from "effect"
import type { Attachment } from "../http/WebSocketRoutes.ts"
import type { Peer, RuntimeServer } from "../runtime/ServerRuntime.ts"
import type { ConnectionState } from "../stream/Connection.ts"
import type { Caller } from "../stream/StreamAuthentication.ts"
import { ADMITTED, type Asking, elsewhere } from "./ForwardedRequest.ts"
import { Claim } from "./CallerCheck.ts"
import type { LocalApp } from "./LocalApp.ts"
import { Promised } from "./QuotaText.ts"
import type { QuotaHome } from "./SharedQuotas.ts"

/** Who was let in. */
const Admission = Schema.Struct({
  /** Null: nobody in particular. */
  claim: Schema.NullOr(Claim),
  /** For whom the connection counts. */
  holder: Schema.Struct({
    caller: Schema.String,
    companyId: Schema.UndefinedOr(Schema.String).pipe(Schema.optionalKey)
  }),
  /** Of the 101. */
  headers: Schema.Record(Schema.String, Schema.String),
  /** What the node may let the caller have of its quota; not there where one of the nodes is of a release without. */
  quota: Schema.optionalKey(Promised)
})

export type Admission = typeof Admission.Type

const AdmissionText = Schema.fromJsonString(Admission)
const encode = Schema.encodeSync(AdmissionText)
const decode = Schema.decodeUnknownEffect(AdmissionText)

const claimOf = (caller: Caller | undefined): Admission["claim"] =>
  caller === undefined ? null : { userId: caller.principal.userId, proof: caller.proof }

/** A server that does nothing but upgrade. */
export const AWAY: Omit<RuntimeServer<unknown>, "upgrade"> = {
  port: undefined,
  protocol: null,
  pendingRequests: 0,
  publish: () => 0,
  stop: () => Promise.resolve()
}

/** What lets in: the app, what it counts for other nodes, and milliseconds since 1970. */
export interface Admitting {
  readonly app: LocalApp
  /** Undefined where the other node's release does not say who asks. */
  readonly asking: Asking | undefined
  /** Undefined where nobody follows. */
  readonly quotas: QuotaHome | undefined
  readonly now: () => number
}

/** Asks the app whether it would upgrade a request. Its refusal is the answer, or who is let in. */
export const admit = async (
  { app, asking, now, quotas }: Admitting,
  request: Request,
  peer: Peer
): Promise<Response> => {
  let admitted: string | undefined
  const server: RuntimeServer<unknown> = {
    ...AWAY,
    upgrade: (_, { data, headers }) => {
      const { holder, place, state } = data as Attachment<ConnectionState & { readonly caller: Caller | undefined }>
      // It counts as one of the other node's.
      place.leave(now())
      const quota = asking === undefined ? undefined : quotas?.promise(asking, holder)
      admitted = encode({ claim: claimOf(state.caller), holder, headers, ...(quota && { quota }) })
      return true
    }
  }
  const refusal = await app.answer(request, peer, server, elsewhere)
  return refusal ?? new Response(admitted, { headers: { [ADMITTED]: "true" } })
}

/** Who was let in, where somebody was. Text that is no admission is a defect of the node that writes. */
export const admissionOf = (response: Response): Effect.Effect<Admission | "refused"> =>
  response.headers.has(ADMITTED)
    ? Effect.orDie(
        Effect.flatMap(
          Effect.promise(() => response.text()),
          decode
        )
      )
    : Effect.succeed("refused")
