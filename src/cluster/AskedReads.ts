/** Whether a node may answer reads itself, which the node that writes knows: who asks, and whether they may ask as often. */

import { Effect, Exit, Request as Asked, RequestResolver, Schema } from "effect"
import manifest from "../../package.json" with { type: "json" }
import type { Principal } from "../api/Authorization.ts"
import { registry } from "../database/migrations/Registry.ts"
import { type AdmittedRead, HttpConventions } from "../http/HttpConventions.ts"
import { makeAskedWriter } from "./AskedWriter.ts"
import { READS } from "./ForwardedRequest.ts"
import type { NodeCredential } from "./NodeCredential.ts"
import type { Nodes } from "./Nodes.ts"

/** A read, as far as it says who asks for what. */
const AskedRead = Schema.Struct({
  /** The path with the query. */
  target: Schema.String,
  /** Address of the other end of the caller's connection. */
  peer: Schema.String,
  headers: Schema.Record(Schema.String, Schema.String)
})

type AskedRead = typeof AskedRead.Type

/** Programs of two releases may answer differently, and may not know each other's tables. */
const RELEASE = `${manifest.version}/${registry.length}`

const AskedReads = Schema.fromJsonString(Schema.Struct({ release: Schema.String, reads: Schema.Array(AskedRead) }))

const Caller: Schema.Codec<Principal> = Schema.Struct({
  userId: Schema.String,
  clientId: Schema.String,
  companyId: Schema.String,
  role: Schema.String,
  scopes: Schema.Array(Schema.String),
  kind: Schema.Literals(["user", "service"]),
  status: Schema.String
})

/** Null: it has to be answered where somebody writes. */
const AdmittedReads = Schema.fromJsonString(
  Schema.Array(
    Schema.NullOr(Schema.Struct({ principal: Caller, headers: Schema.Record(Schema.String, Schema.String) }))
  )
)

const encodeAsked = Schema.encodeSync(AskedReads)
const decodeAsked = Schema.decodeUnknownEffect(AskedReads)
const encodeAdmitted = Schema.encodeSync(AdmittedReads)
const decodeAdmitted = Schema.decodeUnknownEffect(AdmittedReads)

/** Reads that are looked at together. */
const AT_ONCE = 16

/** The headers that say who asks. */
const TELLING = ["authorization", "cookie", "origin", "host", "x-forwarded-for", "x-request-id"]

/** Answers which of the reads in a text may be answered elsewhere, and counts those. */
export type AdmitReads = (text: string) => Effect.Effect<string, Schema.SchemaError>

/** By the sign-ins and the limits of this process. */
export const admitReads: Effect.Effect<AdmitReads, never, HttpConventions> = Effect.map(
  HttpConventions,
  ({ admit }) => {
    const admitted = ({ headers, peer, target }: AskedRead) =>
      Effect.map(admit(new Request(`http://node${target}`, { headers }), peer), (read) => read ?? null)
    return (text) =>
      Effect.map(
        Effect.flatMap(decodeAsked(text), ({ reads, release }) =>
          release === RELEASE ? Effect.forEach(reads, admitted, { concurrency: AT_ONCE }) : Effect.succeed([])
        ),
        encodeAdmitted
      )
  }
)

class Ask extends Asked.TaggedClass("Ask")<{ readonly read: AskedRead }, AdmittedRead | undefined> {}

const askedRead = (request: Request, target: string, peer: string): AskedRead => {
  const headers: Record<string, string> = {}
  for (const name of TELLING) {
    const value = request.headers.get(name)
    if (value !== null) headers[name] = value
  }
  return { target, peer, headers }
}

/** Asks the node that writes whether this one may answer a read; undefined if not. Asks for many at once. */
export const makeReadAdmission = (
  nodes: Nodes["Service"],
  credential: NodeCredential
): ((request: Request, target: string, peer: string) => Effect.Effect<AdmittedRead | undefined>) => {
  const ask = makeAskedWriter(nodes, credential, READS)
  const resolver = RequestResolver.make<Ask>((entries) => {
    const reads = entries.map(({ request }) => request.read)
    const admitted = Effect.flatMap(ask(encodeAsked({ release: RELEASE, reads })), decodeAdmitted).pipe(
      Effect.catch(() => Effect.succeed([]))
    )
    return Effect.map(admitted, (known: ReadonlyArray<AdmittedRead | null>) => {
      for (const [index, entry] of entries.entries()) {
        entry.completeUnsafe(Exit.succeed(known[index] ?? undefined))
      }
    })
  })
  return (request, target, peer) => Effect.request(new Ask({ read: askedRead(request, target, peer) }), resolver)
}
