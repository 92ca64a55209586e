/** What nodes tell each other of quotas, as text. */

import { Schema } from "effect"

const Loan = Schema.Struct({ caller: Schema.String, blocks: Schema.Int, tokens: Schema.Finite })

/** What comes with an admission. */
export const Promised = Schema.Struct({ id: Schema.Int, loan: Schema.NullOr(Loan) })

const Held = Schema.Struct({
  caller: Schema.String,
  companyId: Schema.NullOr(Schema.String),
  sockets: Schema.Int,
  blocks: Schema.Int,
  returned: Schema.Finite
})

const Statement = Schema.fromJsonString(
  Schema.Struct({
    node: Schema.String,
    run: Schema.String,
    sequence: Schema.Int,
    isWhole: Schema.Boolean,
    settled: Schema.Array(Schema.Int),
    held: Schema.Array(Held)
  })
)

const Reply = Schema.fromJsonString(Schema.Struct({ isUnknown: Schema.Boolean, loans: Schema.Array(Loan) }))

export const encodeStatement = Schema.encodeSync(Statement)

/** Fails on a text that is no statement, as far as this release knows. */
export const decodeStatement = Schema.decodeUnknownEffect(Statement)

export const encodeReply = Schema.encodeSync(Reply)

/** None where the text is no reply: another release's, or of a node that gave none. */
export const decodeReply = Schema.decodeUnknownOption(Reply)
