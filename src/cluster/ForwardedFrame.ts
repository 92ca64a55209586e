/** Requests of callers on their way to the node that writes, and their answers: many in one message, as text. */

import { Option, Schema } from "effect"
import { encoderOf } from "../../engine/wire/JsonEncoder.ts"

const Fields = Schema.Array(Schema.Tuple([Schema.String, Schema.String]))

/** Headers as they are sent: by name and value, a name perhaps several times. */
export type Fields = typeof Fields.Type

const SentRequest = Schema.Struct({
  /** Of one connection, by which its answer names it. */
  id: Schema.Int,
  method: Schema.String,
  /** Without a query. */
  path: Schema.String,
  headers: Fields,
  body: Schema.String
})

export type SentRequest = typeof SentRequest.Type

const SentResponse = Schema.Struct({
  id: Schema.Int,
  status: Schema.Int.check(Schema.isBetween({ minimum: 200, maximum: 599 })),
  headers: Fields,
  body: Schema.String
})

export type SentResponse = typeof SentResponse.Type

const Requests = Schema.Array(SentRequest)
const Responses = Schema.Array(SentResponse)

const readRequests = Schema.decodeUnknownOption(Schema.fromJsonString(Requests))
const readResponses = Schema.decodeUnknownOption(Schema.fromJsonString(Responses))

export const encodeRequests = encoderOf(Requests)
export const encodeResponses = encoderOf(Responses)

/** Undefined where the text holds no requests, as far as this release knows. */
export const decodeRequests = (text: string): ReadonlyArray<SentRequest> | undefined =>
  Option.getOrUndefined(readRequests(text))

/** Undefined where the text holds no responses, as far as this release knows. */
export const decodeResponses = (text: string): ReadonlyArray<SentResponse> | undefined =>
  Option.getOrUndefined(readResponses(text))
