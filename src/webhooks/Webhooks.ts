import { Clock, Context, Effect, Layer, Redacted, Semaphore, Struct } from "effect"
import type { SecureRandom } from "effect/crypto/SecureRandom"
import { mergedMetadata, type MetadataChange, type TooMuchMetadata } from "../../engine/metadata/Metadata.ts"
import { after, previousSecrets, webhookStream, type WebhookState } from "../../engine/webhooks/Webhook.ts"
import * as Decision from "../../engine/webhooks/WebhookDecision.ts"
import type { WebhookEvent, WebhookSettings } from "../../engine/webhooks/WebhookEvent.ts"
import type { Page } from "../api/Paging.ts"
import { Settings } from "../Config.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import type { UnknownCursor } from "../database/Keyset.ts"
import { dieOnRefusal, retryStale, writeEntry } from "../database/EntryWriting.ts"
import type { UnitOfWork } from "../database/UnitOfWork.ts"
import * as Identifier from "../Identifier.ts"
import { FreeText } from "../identity/secrets/FreeText.ts"
import { PersonalText } from "../identity/secrets/PersonalText.ts"
import { TooManyWebhooks, UnusableUrl, WebhookNotFound } from "./WebhookError.ts"
import { type StoredWebhook, type WebhookPage, WebhookRepository } from "./WebhookRepository.ts"
import { WebhookSecrets } from "./WebhookSecrets.ts"
import { webhookUrl, type WebhookUrlRules } from "./WebhookUrl.ts"

/** Who asks. */
export interface Caller {
  readonly userId: string
  readonly companyId: string
  readonly isAdmin: boolean
}

/** A webhook and its new secret, which is never shown again. */
export interface WebhookWithSecret extends StoredWebhook {
  readonly secret: Redacted.Redacted
}

/** The changes to a webhook. */
interface WebhookChange extends Omit<Decision.WebhookPatch, "metadata"> {
  readonly metadata?: MetadataChange
}

/** The endpoints at which companies hear of their events. */
export class Webhooks extends Context.Service<
  Webhooks,
  {
    readonly create: (
      caller: Caller,
      settings: WebhookSettings
    ) => Effect.Effect<WebhookWithSecret, UnusableUrl | TooManyWebhooks | Unavailable>
    /** A webhook of the caller's company, or any for an administrator. */
    readonly find: (caller: Caller, id: string) => Effect.Effect<StoredWebhook, WebhookNotFound | Unavailable>
    /** Those of a company, oldest first. */
    readonly list: (companyId: string, page: Page) => Effect.Effect<WebhookPage, Unavailable | UnknownCursor>
    /** Changes its settings, and turns it on or off. */
    readonly change: (
      caller: Caller,
      id: string,
      patch: WebhookChange
    ) => Effect.Effect<StoredWebhook, TooMuchMetadata | UnusableUrl | WebhookNotFound | Unavailable>
    /** Deletes it for good, and its secrets. */
    readonly remove: (caller: Caller, id: string) => Effect.Effect<void, WebhookNotFound | Unavailable>
    /** Signs with a new secret, for a while with those before as well. For its own company, not for administrators. */
    readonly rotate: (
      caller: Caller,
      id: string
    ) => Effect.Effect<WebhookWithSecret, WebhookNotFound | Decision.TooManySecrets | Unavailable>
    /** The oldest of a company's with a URL, if there is one. */
    readonly byUrl: (companyId: string, url: string) => Effect.Effect<StoredWebhook | undefined, Unavailable>
  }
>()("emporion/webhooks/Webhooks") {
  static readonly layer = Layer.effect(
    this,
    Effect.suspend(() => make)
  )
}

const usable = (field: UnusableUrl["field"], url: string, rules: WebhookUrlRules) =>
  Effect.mapError(Effect.fromResult(webhookUrl(url, rules)), (expected) => new UnusableUrl({ field, expected }))

/** Writes one event on the state that it was decided on; returns the state after it. */
const write = Effect.fnUntraced(function* (
  state: WebhookState | undefined,
  event: WebhookEvent,
  claims: ReadonlyArray<string> = []
) {
  yield* writeEntry({
    stream: webhookStream(event.webhookId),
    version: state?.version ?? 0,
    claims,
    entry: { commands: [], event }
  })
  return after(state, event)
})

const found = Effect.fnUntraced(function* ({ companyId, isAdmin }: Caller, id: string) {
  const webhook = yield* (yield* WebhookRepository).find(id)
  if (webhook === undefined || webhook.state.status === "deleted") return yield* new WebhookNotFound({ id })
  return isAdmin || webhook.state.companyId === companyId ? webhook : yield* new WebhookNotFound({ id })
})

const acting = ({ userId }: Caller) => Effect.map(Clock.currentTimeMillis, (at) => ({ userId, at }))

const gone = ({ webhookId }: Decision.WebhookGone) => Effect.fail(new WebhookNotFound({ id: webhookId }))

/** Each new webhook counts all before it: if two counted the same, one of them counts again. */
const claimOf = (companyId: string, made: number): string => `webhook-of/${companyId}/${made}`

const created = Effect.fnUntraced(function* (caller: Caller, settings: WebhookSettings) {
  const { companyId } = caller
  const settled = yield* Settings
  yield* usable("url", settings.url, settled)
  const { counts } = yield* WebhookRepository
  const room = Effect.gen(function* () {
    const { living, made } = yield* counts(companyId)
    return living < Decision.MOST_WEBHOOKS ? made : yield* new TooManyWebhooks({ limit: Decision.MOST_WEBHOOKS })
  })
  yield* room
  const sealed = yield* (yield* FreeText).texts(companyId, settings, ["url", "description"])
  const webhookId = yield* Identifier.make("whk")
  const secrets = yield* WebhookSecrets
  const secret = yield* secrets.make(webhookId, 1)
  const attempt = Effect.gen(function* () {
    const claims = [claimOf(companyId, yield* room)]
    return yield* write(
      undefined,
      Decision.create({ companyId, settings: sealed, webhookId }, yield* acting(caller)),
      claims
    )
  })
  const state = yield* attempt.pipe(
    Effect.tapError((error) => (error._tag === "TooManyWebhooks" ? secrets.removeBelow(webhookId, 2) : Effect.void)),
    retryStale,
    dieOnRefusal
  )
  return { state, failingSince: null, secret }
})

const changed = Effect.fnUntraced(function* (caller: Caller, id: string, { metadata, ...patch }: WebhookChange) {
  if (patch.url !== undefined) yield* usable("url", patch.url, yield* Settings)
  const attempt = Effect.gen(function* () {
    const webhook = yield* found(caller, id)
    const { companyId, settings } = webhook.state
    const typed = yield* FreeText
    const change = yield* typed.change(companyId, metadata)
    const merged =
      change === undefined ? {} : { metadata: yield* Effect.fromResult(mergedMetadata(settings.metadata, change)) }
    const texts = yield* typed.texts(companyId, { ...patch, metadata: undefined }, ["url", "description"])
    const asked = { ...Struct.omit(texts, ["metadata"]), ...merged }
    const events = yield* Effect.fromResult(Decision.change(webhook.state, asked, yield* acting(caller)))
    let { state } = webhook
    for (const event of events) state = yield* write(state, event)
    return { state, failingSince: state.countsFrom === webhook.state.countsFrom ? webhook.failingSince : null }
  })
  return yield* attempt.pipe(Effect.catchTag("WebhookGone", gone), retryStale, dieOnRefusal)
})

/** For its own company alone, because the caller gets the new secret. */
const rotated = Effect.fnUntraced(function* (by: Caller, id: string) {
  const caller = { ...by, isAdmin: false }
  const secrets = yield* WebhookSecrets
  const decided = Effect.gen(function* () {
    const webhook = yield* found(caller, id)
    return { ...webhook, event: yield* Effect.fromResult(Decision.rotate(webhook.state, yield* acting(caller))) }
  }).pipe(Effect.catchTag("WebhookGone", gone))
  const secret = yield* secrets.make(id, (yield* decided).event.secretNumber)
  const attempt = Effect.gen(function* () {
    const { event, failingSince, state } = yield* decided
    return { state: yield* write(state, event), failingSince }
  })
  const webhook = yield* attempt.pipe(retryStale, dieOnRefusal)
  const { secretNumber, updatedAt } = webhook.state
  yield* secrets.removeBelow(id, secretNumber - previousSecrets(webhook.state, updatedAt).length)
  return { ...webhook, secret }
})

const removed = Effect.fnUntraced(function* (caller: Caller, id: string) {
  const attempt = Effect.gen(function* () {
    const { state } = yield* found(caller, id)
    return yield* write(state, yield* Effect.fromResult(Decision.remove(state, yield* acting(caller))))
  })
  const state = yield* attempt.pipe(Effect.catchTag("WebhookGone", gone), retryStale, dieOnRefusal)
  yield* (yield* WebhookSecrets).removeBelow(id, state.secretNumber + 1)
})

type Services = FreeText | PersonalText | WebhookRepository | WebhookSecrets | Settings | UnitOfWork | SecureRandom

const make = Effect.gen(function* () {
  const repository = yield* WebhookRepository
  const context = yield* Effect.context<Services>()
  const inside = <A, E>(effect: Effect.Effect<A, E, Services>) => Effect.provideContext(effect, context)
  // Only one caller at a time may make a secret for a number, and a lone counter of a company's webhooks need not count
  // again.
  const turns = yield* Semaphore.make(1)
  const inTurn = <A, E>(effect: Effect.Effect<A, E, Services>) => turns.withPermit(inside(effect))

  return Webhooks.of({
    create: Effect.fn("Webhooks.create")((caller, settings) => inTurn(created(caller, settings))),
    find: Effect.fn("Webhooks.find")((caller, id) => inside(found(caller, id))),
    list: Effect.fn("Webhooks.list")(repository.list),
    change: Effect.fn("Webhooks.change")((caller, id, patch) => inside(changed(caller, id, patch))),
    remove: Effect.fn("Webhooks.remove")((caller, id) => inTurn(removed(caller, id))),
    rotate: Effect.fn("Webhooks.rotate")((caller, id) => inTurn(rotated(caller, id))),
    byUrl: Effect.fn("Webhooks.byUrl")(function* (companyId, url) {
      const sealers = yield* Effect.flatMap(PersonalText, ({ knownSealers }) => knownSealers([companyId]))
      return yield* repository.byUrl(companyId, [url, ...sealers.map((seal) => seal(url))])
    }, inside)
  })
})
