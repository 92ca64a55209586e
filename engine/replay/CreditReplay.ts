import { Result } from "effect"
import { encodeEvent } from "../actor/EventChain.ts"
import { readApplication } from "../credit/CreditApplication.ts"
import { granting, trimming } from "../credit/CreditDecision.ts"
import type { CreditAssessed, CreditEvent } from "../credit/CreditEvent.ts"
import { creditOf, type CreditStanding, creditStream, evolve, unassessed } from "../credit/CreditStanding.ts"
import { assess } from "../credit/ScoreCard.ts"
import { trainedModel } from "../credit/TrainedModel.ts"
import type { Command } from "../ledger/Command.ts"
import { assessmentRow, limitRow } from "../credit/CreditRows.ts"
import type { FamilyReplay } from "./FamilyReplay.ts"
import type { RowSink } from "./RowSink.ts"
import type { StoredEvent } from "./StoredEvent.ts"

interface Replayed {
  readonly standing: CreditStanding
  /** The last assessment and the last event of each user. */
  readonly last: Map<string, { readonly assessedBy: number; readonly stored: StoredEvent }>
}

/** Scores every request again that the present model answered, and derives each limit from the ones before it. */
export class CreditReplay implements FamilyReplay<CreditEvent> {
  readonly #sink: RowSink
  readonly #companies = new Map<string, Replayed>()

  constructor(sink: RowSink) {
    this.#sink = sink
  }

  /** Decides the event again: its commands to the ledger, or what is wrong with it. */
  decide(event: CreditEvent, { stream, data }: StoredEvent): Result.Result<ReadonlyArray<Command>, string> {
    const { companyId, userId } = event
    const expected = creditStream(companyId)
    if (stream !== expected) return Result.fail(`belongs in the stream ${expected} and stands in another`)
    const { standing } = this.#of(companyId)
    const { used } = event
    if (used > creditOf(standing, userId).posted) return Result.fail("says that more was used than there was")
    const situation = { standing, used }
    if (event._tag === "CreditLimitSet") {
      const again = trimming(situation, event)
      return again === undefined ? Result.fail("sets a limit that is there already") : same(again, data)
    }
    const card = cardOf(event)
    return card === undefined
      ? Result.fail("scores a request that cannot be taken")
      : same(granting(situation, event.request, card, event), data)
  }

  /** Applies an event that was decided again: puts its assessment. */
  evolve(event: CreditEvent, stored: StoredEvent): void {
    const { standing, last } = this.#of(event.companyId)
    evolve(standing, event)
    const isAssessment = event._tag === "CreditAssessed"
    const assessedBy = isAssessment ? stored.seq : (last.get(event.userId)?.assessedBy ?? 0)
    last.set(event.userId, { assessedBy, stored })
    if (isAssessment) this.#sink.put(assessmentRow(event, stored.seq), stored)
    if (this.#sink.history) this.#putLimit(event.companyId, event.userId)
  }

  /** Puts the limits as they are at the end. */
  finish(): void {
    if (this.#sink.history) return
    for (const [companyId, { last }] of this.#companies) {
      for (const userId of last.keys()) this.#putLimit(companyId, userId)
    }
  }

  #of(companyId: string): Replayed {
    const known = this.#companies.get(companyId)
    if (known !== undefined) return known
    const made: Replayed = { standing: unassessed(companyId), last: new Map() }
    this.#companies.set(companyId, made)
    return made
  }

  #putLimit(companyId: string, userId: string): void {
    const { last, standing } = this.#of(companyId)
    const found = last.get(userId)
    if (found === undefined) return
    const { assessedBy, stored } = found
    this.#sink.put(limitRow({ userId, companyId, ...creditOf(standing, userId), assessedBy, seq: stored.seq }), stored)
  }
}

/** An older model's card is taken as it was recorded. */
const cardOf = ({ at, card, request }: CreditAssessed) => {
  if (card.modelVersion !== trainedModel.version) return card
  const application = readApplication(request)
  return Result.isFailure(application) ? undefined : assess(trainedModel, application.success, at)
}

const same = (
  { commands, event }: { readonly commands: ReadonlyArray<Command>; readonly event: CreditEvent },
  data: string
): Result.Result<ReadonlyArray<Command>, string> =>
  encodeEvent(event) === data ? Result.succeed(commands) : Result.fail("is not what the engine decides")
