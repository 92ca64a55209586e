/** Whether a node may answer reads itself, which the node that writes knows: who asks, and whether they may ask as often. */

import { Effect, Exit, Option, Request as Asked, RequestResolver, Schema } from "effect"
import manifest from "../../package.json" with { type: "json" }
import type { Principal } from "../api/Authorization.ts"
import { registry } from "../database/migrations/Registry.ts"
import { WriterTerm } from "../database/WriterTerm.ts"
import { type AdmittedRead, HttpConventions } from "../http/HttpConventions.ts"
import { makeWriterInquiry } from "./WriterInquiry.ts"
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

const AdmittedReads = Schema.fromJsonString(
  Schema.Struct({
    term: Schema.String.check(Schema.isPattern(/^\d{1,19}$/)),
    /** Null: it has to be answered where somebody writes. */
    reads: Schema.Array(
      Schema.NullOr(Schema.Struct({ principal: Caller, headers: Schema.Record(Schema.String, Schema.String) }))
    )
  })
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
export const admitReads: Effect.Effect<AdmitReads, never, HttpConventions | WriterTerm> = Effect.gen(function* () {
  const { admit } = yield* HttpConventions
  const { current } = yield* WriterTerm
  const admitted = ({ headers, peer, target }: AskedRead) =>
    Effect.map(admit(new Request(`http://node${target}`, { headers }), peer), (read) => read ?? null)
  return Effect.fnUntraced(function* (text: string) {
    const asked = yield* decodeAsked(text)
    const reads =
      asked.release === RELEASE ? yield* Effect.forEach(asked.reads, admitted, { concurrency: AT_ONCE }) : []
    return encodeAdmitted({ term: String(current()), reads })
  })
})

/** A read that a node may answer, and the term of the writer that says so. */
export interface TermedRead extends AdmittedRead {
  readonly term: bigint
}

class Ask extends Asked.TaggedClass("Ask")<{ readonly read: AskedRead }, TermedRead | undefined> {}

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
): ((request: Request, target: string, peer: string) => Effect.Effect<TermedRead | undefined>) => {
  const ask = makeWriterInquiry(nodes, credential, READS)
  const resolver = RequestResolver.make<Ask>((entries) => {
    const reads = entries.map(({ request }) => request.read)
    const admitted = Effect.flatMap(ask(encodeAsked({ release: RELEASE, reads })), decodeAdmitted)
    return Effect.map(Effect.option(admitted), (known) => {
      for (const [index, entry] of entries.entries()) {
        const read = Option.isSome(known) ? (known.value.reads[index] ?? undefined) : undefined
        const term = Option.isSome(known) ? BigInt(known.value.term) : 0n
        entry.completeUnsafe(Exit.succeed(read === undefined ? undefined : { ...read, term }))
      }
    })
  })
  return (request, target, peer) => Effect.request(new Ask({ read: askedRead(request, target, peer) }), resolver)
}
