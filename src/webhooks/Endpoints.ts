import { Clock, Context, Effect, Layer } from "effect"
import type { Endpoint } from "../../engine/webhooks/EndpointActor.ts"
import type { SigningSecrets } from "../../engine/webhooks/SigningSecrets.ts"
import { previousSecrets, webhookStream, type WebhookState } from "../../engine/webhooks/Webhook.ts"
import { disableFailing } from "../../engine/webhooks/WebhookDecision.ts"
import type { Unavailable } from "../database/DatabaseError.ts"
import { dieOnRefusal, retryStale, writeEntry } from "../database/EntryWriting.ts"
import { UnitOfWork } from "../database/UnitOfWork.ts"
import { PersonalText } from "../identity/secrets/PersonalText.ts"
import { Secrets } from "../identity/secrets/Secrets.ts"
import { WebhookRepository } from "./WebhookRepository.ts"
import { secretKey, secretPurpose, WebhookSecretRepository } from "./WebhookSecretRepository.ts"

/** The secrets of a deleted webhook may be gone, and a disabled one needs none. */
const NO_SECRETS: SigningSecrets = { current: "", previous: [] }

/** Webhooks as their senders need them. */
export class Endpoints extends Context.Service<
  Endpoints,
  {
    /** With their signing secrets decrypted. One that is not enabled has none. */
    readonly find: (webhookId: string) => Effect.Effect<Endpoint<SigningSecrets> | undefined, Unavailable>
    /**
     * Disables one whose attempts have failed since a time, unless it is not enabled or began anew since. Recorded as the
     * platform's own act.
     */
    readonly disableFailing: (webhookId: string, failingSince: number) => Effect.Effect<void, Unavailable>
  }
>()("emporion/webhooks/Endpoints") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repository = yield* WebhookRepository
      const inJournal = Effect.provideService(UnitOfWork, yield* UnitOfWork)
      const signing = yield* makeSigning
      const { open: openedText } = yield* PersonalText

      const find = Effect.fn("Endpoints.find")(function* (webhookId: string) {
        const found = yield* repository.find(webhookId)
        if (found === undefined) return undefined
        const { failingSince, state } = found
        const url = yield* openedText(state.settings.url)
        // Nobody knows the URL of a company that was forgotten.
        const isEnabled = state.status === "enabled" && url !== undefined
        const secrets = isEnabled ? yield* signing(state) : NO_SECRETS
        return { webhookId, url: url ?? "", isEnabled, secrets, failingSince }
      })

      const disable = Effect.fnUntraced(function* (webhookId: string, failingSince: number) {
        const found = yield* repository.find(webhookId)
        const at = yield* Clock.currentTimeMillis
        const event = found === undefined ? undefined : disableFailing(found.state, failingSince, at)
        if (found === undefined || event === undefined) return
        const { version } = found.state
        yield* writeEntry({ stream: webhookStream(webhookId), version, entry: { commands: [], event } })
      })

      return Endpoints.of({
        find,
        disableFailing: Effect.fn("Endpoints.disableFailing")((webhookId, failingSince) =>
          disable(webhookId, failingSince).pipe(retryStale, dieOnRefusal, inJournal)
        )
      })
    })
  )
}

/**
 * How to read and decrypt the secrets that sign for a webhook. A missing one, or one that does not decrypt, is a
 * defect.
 */
const makeSigning = Effect.gen(function* () {
  const { ofWebhook } = yield* WebhookSecretRepository
  const { open } = yield* Secrets
  const opened = (key: string, sealed: Uint8Array | undefined) =>
    sealed === undefined
      ? Effect.die(new Error(`the webhook secret ${key} is gone`))
      : Effect.map(Effect.orDie(open(secretPurpose(key), sealed)), (plain) => Buffer.from(plain).toString())

  return Effect.fnUntraced(function* (state: WebhookState) {
    const { secretNumber, webhookId } = state
    const sealed = yield* ofWebhook(webhookId)
    const secretOf = (number: number) => opened(secretKey(webhookId, number), sealed.get(number))
    const previous = yield* Effect.forEach(
      previousSecrets(state, yield* Clock.currentTimeMillis),
      ({ number, until }) => Effect.map(secretOf(number), (secret) => ({ secret, until }))
    )
    return { current: yield* secretOf(secretNumber), previous }
  })
})
