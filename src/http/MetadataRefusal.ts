import { Effect } from "effect"
import type { TooMuchMetadata } from "../../engine/metadata/Metadata.ts"
import { ApiError } from "../api/ApiError.ts"

/** How a change of metadata is refused, for `Effect.catchTags`. */
export const metadataAnswers = {
  TooMuchMetadata: ({ most }: TooMuchMetadata) =>
    Effect.fail(
      new ApiError("unprocessable", `payload.metadata: Expected at most ${most} keys with those that are there`)
    )
}
