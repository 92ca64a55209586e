import { Result } from "effect"
import { encodeEvent } from "../actor/EventChain.ts"
import {
  askOf,
  commitmentHaltStream,
  type CommitmentHalt,
  type CommitmentHaltSet,
  decideHalt,
  NOT_HALTED
} from "../arena/CommitmentHalt.ts"
import { haltRow } from "../arena/CommitmentHaltRows.ts"
import type { Command } from "../ledger/Command.ts"
import type { FamilyReplay } from "./FamilyReplay.ts"
import type { RowSink } from "./RowSink.ts"
import type { StoredEvent } from "./StoredEvent.ts"

/** Decides the halts of companies' commitments again. */
export class CommitmentHaltReplay implements FamilyReplay<CommitmentHaltSet> {
  readonly #sink: RowSink
  readonly #last = new Map<string, { readonly event: CommitmentHaltSet; readonly stored: StoredEvent }>()

  constructor(sink: RowSink) {
    this.#sink = sink
  }

  decide(event: CommitmentHaltSet, { data, stream }: StoredEvent): Result.Result<ReadonlyArray<Command>, string> {
    const expected = commitmentHaltStream(event.companyId)
    if (stream !== expected) return Result.fail(`belongs in the stream ${expected} and stands in another`)
    const before: CommitmentHalt = this.#last.get(event.companyId)?.event ?? NOT_HALTED
    const again = decideHalt(before, askOf(event), event)
    return encodeEvent(again.event) === data
      ? Result.succeed(again.commands)
      : Result.fail("is not what the engine decides")
  }

  evolve(event: CommitmentHaltSet, stored: StoredEvent): void {
    this.#last.set(event.companyId, { event, stored })
    if (this.#sink.history) this.#sink.put(haltRow(event, stored.seq), stored)
  }

  finish(): void {
    for (const { event, stored } of this.#last.values()) this.#sink.put(haltRow(event, stored.seq), stored)
  }
}
