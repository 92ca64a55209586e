import { Result } from "effect"
import { erasureStream, type UserErased } from "../erasure/ErasureEvent.ts"
import type { Command } from "../ledger/Command.ts"
import type { FamilyReplay } from "./FamilyReplay.ts"
import type { StoredEvent } from "./StoredEvent.ts"

/** Erasures move nothing: only that each stands in its user's stream, as its only event, can be checked. */
export class ErasureReplay implements FamilyReplay<UserErased> {
  decide({ userId }: UserErased, { stream, version }: StoredEvent): Result.Result<ReadonlyArray<Command>, string> {
    const expected = erasureStream(userId)
    if (stream !== expected) return Result.fail(`belongs in the stream ${expected} and stands in another`)
    return version === 1 ? Result.succeed([]) : Result.fail(`erases ${userId}, who was erased before`)
  }

  /** Nothing of its own. */
  evolve(): void {}
}
