import type { PlatformEvent } from "../replay/PlatformEvent.ts"
import { isWanted } from "./WantedEvents.ts"
import type { WebhookEventType } from "./WebhookEventType.ts"

interface Entered {
  readonly companyId: string
  events: ReadonlyArray<string>
  isEnabled: boolean
}

/** A webhook that is to be told of something, and whose it is. */
export interface Hearer {
  readonly webhookId: string
  readonly companyId: string
}

const NOBODY: ReadonlyMap<string, Entered> = new Map()

/** Which webhooks there are at one place in the journal, as the events up to it make them. */
export class WebhookRegistry {
  readonly #webhooks = new Map<string, Entered>()
  readonly #companies = new Map<string, Map<string, Entered>>()

  /** How many there are that were not deleted. */
  get size(): number {
    return this.#webhooks.size
  }

  /** Takes in the next event. */
  hear(event: PlatformEvent): void {
    switch (event._tag) {
      case "WebhookCreated":
        return this.#enter(event.webhookId, {
          companyId: event.companyId,
          events: event.settings.events,
          isEnabled: true
        })
      case "WebhookChanged":
        return this.#change(event.webhookId, { events: event.settings.events })
      case "WebhookDisabled":
        return this.#change(event.webhookId, { isEnabled: false })
      case "WebhookEnabled":
        return this.#change(event.webhookId, { isEnabled: true })
      case "WebhookDeleted":
        return this.#leave(event.webhookId)
      default:
        return
    }
  }

  /** Whether a company has a webhook. */
  has(companyId: string): boolean {
    return this.#companies.has(companyId)
  }

  /** The enabled webhooks of a company that ask for events of a type. */
  hearing(companyId: string, type: WebhookEventType): ReadonlyArray<Hearer> {
    const hearing: Array<Hearer> = []
    for (const [webhookId, { events, isEnabled }] of this.#companies.get(companyId) ?? NOBODY) {
      if (isEnabled && isWanted(events, type)) hearing.push({ webhookId, companyId })
    }
    return hearing
  }

  #enter(webhookId: string, entered: Entered): void {
    this.#webhooks.set(webhookId, entered)
    const siblings = this.#companies.get(entered.companyId)
    if (siblings === undefined) this.#companies.set(entered.companyId, new Map([[webhookId, entered]]))
    else siblings.set(webhookId, entered)
  }

  #change(webhookId: string, change: Partial<Pick<Entered, "events" | "isEnabled">>): void {
    Object.assign(this.#entered(webhookId), change)
  }

  #leave(webhookId: string): void {
    const { companyId } = this.#entered(webhookId)
    this.#webhooks.delete(webhookId)
    const siblings = this.#companies.get(companyId)
    siblings?.delete(webhookId)
    if (siblings?.size === 0) this.#companies.delete(companyId)
  }

  #entered(webhookId: string): Entered {
    const entered = this.#webhooks.get(webhookId)
    if (entered === undefined) throw new TypeError(`the webhook ${webhookId} was not created`)
    return entered
  }
}
