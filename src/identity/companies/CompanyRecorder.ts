import { Duration, Effect, Layer } from "effect"
import { type CompanyEvent, companyStream } from "../../../engine/company/CompanyEvent.ts"
import { dieOnRefusal, retryStale, writeEntry } from "../../database/EntryWriting.ts"
import { untilDone } from "../../UntilDone.ts"
import { CompanyOutboxRepository, type Unrecorded } from "./CompanyOutboxRepository.ts"
import type { Company } from "./Company.ts"
import { CompanyRepository } from "./CompanyRepository.ts"
import { profileOf, snapshotOf } from "./CompanySnapshot.ts"

/** How long to wait after a failure. */
const PAUSE = Duration.seconds(1)

/** The audit log has it from the act itself, so that it is not written there again. */
const actorOf = ({ requestId, userId }: Unrecorded) => ({ userId, requestId, administers: false })

const eventOf = (noted: Unrecorded, company: Company): CompanyEvent => {
  const of = { at: noted.at, by: actorOf(noted), companyId: noted.companyId }
  return noted.kind === "registered"
    ? { _tag: "CompanyRegistered", ...of, profile: profileOf(company) }
    : { _tag: "CompanyVerified", ...of, company: snapshotOf({ ...company, verifiedAt: noted.at }) }
}

/** Records one thing as the company is now. The event's own transaction takes the note away: it is recorded once. */
const record = Effect.fnUntraced(
  function* (noted: Unrecorded) {
    const { find, isUnrecorded } = yield* CompanyRepository
    const found = yield* find(noted.companyId)
    if (found === undefined || !(yield* isUnrecorded(noted.companyId, noted.kind))) return
    const event = eventOf(noted, found.company)
    yield* writeEntry({
      stream: companyStream(noted.companyId),
      version: found.version,
      entry: { commands: [], event }
    })
  },
  retryStale,
  dieOnRefusal
)

/** Records what was noted, through any failure: what a stop or a failure leaves is found again in the database. */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { noted, unrecorded } = yield* CompanyOutboxRepository
    const round = unrecorded.pipe(
      Effect.tap((all) => Effect.forEach(all, record, { discard: true })),
      Effect.repeat({ while: (all) => all.length > 0 })
    )
    yield* Effect.forkScoped(
      Effect.forever(Effect.andThen(noted, untilDone(round, "Companies wait to be recorded", PAUSE)))
    )
  })
)
