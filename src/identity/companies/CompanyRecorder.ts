import { Duration, Effect, Layer } from "effect"
import { type CompanyEvent, companyStream } from "../../../engine/company/CompanyEvent.ts"
import { dieOnRefusal, retryStale, writeEntry } from "../../database/EntryWriting.ts"
import { untilDone } from "../../UntilDone.ts"
import { CompanyOutboxRepository, type Unrecorded } from "./CompanyOutboxRepository.ts"
import type { Company } from "./Company.ts"
import { sealedContacts } from "./CompanyContacts.ts"
import { CompanyRepository } from "./CompanyRepository.ts"
import { profileOf, snapshotOf } from "./CompanySnapshot.ts"

/** How long to wait after a failure. */
const PAUSE = Duration.seconds(1)

/** How often to look for what another process noted: a writer may lose its role right after it noted something. */
const LOOK_INTERVAL = Duration.seconds(5)

/** The audit log has it from the act itself, so that it is not written there again. */
const actorOf = ({ requestId, userId }: Unrecorded) => ({ userId, requestId, administers: false })

const eventOf = (noted: Unrecorded, company: Company): CompanyEvent => {
  const of = { at: noted.at, by: actorOf(noted), companyId: noted.companyId }
  return noted.kind === "registered"
    ? { _tag: "CompanyRegistered", ...of, profile: profileOf(company) }
    : { _tag: "CompanyVerified", ...of, company: snapshotOf({ ...company, verifiedAt: noted.at }) }
}

/** Records one thing as the company is now, once: a note that a stop kept from being taken away is recorded already. */
const record = Effect.fnUntraced(
  function* (noted: Unrecorded) {
    const { find, isRecorded } = yield* CompanyRepository
    const found = yield* find(noted.companyId)
    if (found === undefined) return
    const event = eventOf(noted, yield* sealedContacts(noted.companyId, found.company))
    if (yield* isRecorded(noted.companyId, event._tag)) return
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
    const { noted, recorded, unrecorded } = yield* CompanyOutboxRepository
    const round = unrecorded.pipe(
      Effect.tap((all) => Effect.forEach(all, (one) => Effect.andThen(record(one), recorded(one)), { discard: true })),
      Effect.repeat({ while: (all) => all.length > 0 })
    )
    const due = Effect.timeoutOption(noted, LOOK_INTERVAL)
    yield* Effect.forkScoped(
      Effect.forever(Effect.andThen(due, untilDone(round, "Companies wait to be recorded", PAUSE)))
    )
  })
)
