import { Schema } from "effect"
import { CATALOGUE, type Code } from "../ApiError.ts"
import { FieldError, MAX_FIELD_ERRORS } from "../FieldError.ts"

const CODES = Object.keys(CATALOGUE) as ReadonlyArray<Code>

const fields = {
  code: Schema.Literals(CODES),
  message: Schema.String.annotate({ description: "What to do, in a sentence." }),
  errors: Schema.optionalKey(Schema.Array(FieldError)).annotate({
    description: `Every faulty field, at most ${MAX_FIELD_ERRORS}, the first of which the message names.`
  }),
  retry_after: Schema.optionalKey(Schema.Finite).annotate({
    description: "Seconds after which the same message may succeed."
  })
}

/** Why a message was refused: the code and sentence that REST answers for the same request. Specification 7. */
export class Refused extends Schema.TaggedError<Refused>()("Refused", fields) {
  /** The HTTP status that goes with the code. */
  get status(): number {
    return CATALOGUE[this.code].status
  }
}

/** Why one item of a batch was refused. */
export const RefusedItem = Schema.TaggedStruct("Refused", fields)
