import { Result } from "effect"
import { type CompanyEvent, streamOf } from "../company/CompanyEvent.ts"
import type { Command } from "../ledger/Command.ts"
import type { FamilyReplay } from "./FamilyReplay.ts"
import type { StoredEvent } from "./StoredEvent.ts"

/**
 * What happens to companies moves nothing, and changes rows that registration made: only where it is recorded, and that
 * no company is made twice, can be checked.
 */
export class CompanyReplay implements FamilyReplay<CompanyEvent> {
  readonly #made = new Set<string>()

  decide(event: CompanyEvent, { stream }: StoredEvent): Result.Result<ReadonlyArray<Command>, string> {
    const expected = streamOf(event)
    if (stream !== expected) return Result.fail(`belongs in the stream ${expected} and stands in another`)
    return event._tag === "CompanyCreated" && this.#made.has(event.companyId)
      ? Result.fail(`makes ${event.companyId}, which was made before`)
      : Result.succeed([])
  }

  evolve(event: CompanyEvent): void {
    if (event._tag === "CompanyCreated") this.#made.add(event.companyId)
  }
}
