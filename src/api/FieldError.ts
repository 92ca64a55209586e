import { Schema } from "effect"

/** Faulty fields that one answer names. */
export const MAX_FIELD_ERRORS = 20

/** One faulty field of a request: its place, such as `payload.quantity`, and what it takes. */
export const FieldError = Schema.Struct({
  field: Schema.String.annotate({ description: "Where it is: payload, query, path or headers, and the field's path." }),
  expected: Schema.String.annotate({ description: "What the field takes." })
}).annotate({ identifier: "FieldError" })

export type FieldError = typeof FieldError.Type

/** A message about a field begins with its place, whose last part may be any text that a caller sent, such as a key of metadata. */
const EXPECTING = /^((?:payload|query|path|headers)(?:\..*?)?): Expected (.+)$/s
const NAMED = /^((?:payload|query|path|headers)(?:\.[^\s:]+)?): (.+)$/s

/** The field that a refusal's message is about, if it is about one. */
export const namedIn = (message: string): ReadonlyArray<FieldError> => {
  const [, field, expected] = EXPECTING.exec(message) ?? NAMED.exec(message) ?? []
  return field === undefined || expected === undefined ? [] : [{ field, expected }]
}

/** The message about a faulty field. */
export const sentenceOf = ({ expected, field }: FieldError): string => `${field}: Expected ${expected}`
