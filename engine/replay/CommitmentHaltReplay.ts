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
import type { Command } from "../ledger/Command.ts"
import type { FamilyReplay } from "./FamilyReplay.ts"
import type { RowSink } from "./RowSink.ts"
import type { StateRow } from "./StateTable.ts"
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

const text = (value: number | null | undefined): string | null =>
  value === null || value === undefined ? null : `${value}`

/** A row of `commitment_halts`. */
const haltRow = ({ armed, companyId, deadlineAt, halted }: CommitmentHaltSet, seq: number): StateRow => ({
  table: "commitment_halts",
  values: [
    companyId,
    text(halted?.at),
    halted?.by ?? null,
    halted?.cause ?? null,
    text(deadlineAt),
    `${armed}`,
    `${seq}`
  ]
})
