/** Which fields of which events people type: they are recorded sealed, under the key of whoever they are of. */

import type { PlatformEvent } from "../replay/PlatformEvent.ts"
import { isSealed } from "./SealedText.ts"

type Tag = PlatformEvent["_tag"]

const WEBHOOK = ["settings.url", "settings.description", "settings.metadata"]

/** The paths of each event's texts, and of its metadata, of which keys and values are texts. */
export const FREE_TEXT: ReadonlyMap<Tag, ReadonlyArray<string>> = new Map<Tag, ReadonlyArray<string>>([
  ["MoneyTransferred", ["description", "metadata"]],
  ["PurchaseOrderPlaced", ["terms.metadata"]],
  ["PurchaseOrderCancelled", ["reason"]],
  ["PaymentCreated", ["plan.metadata"]],
  ["SubscriptionCreated", ["terms.metadata"]],
  ["WebhookCreated", WEBHOOK],
  ["WebhookChanged", WEBHOOK],
  ["BotCreated", ["profile.name"]],
  ["BotChanged", ["profile.name"]],
  ["CreditAssessed", ["request.desc", "request.purpose"]]
])

const at = (value: unknown, path: string): unknown =>
  path
    .split(".")
    .reduce<unknown>(
      (found, name) =>
        typeof found === "object" && found !== null && name in found ? found[name as keyof typeof found] : undefined,
      value
    )

const textsAt = (value: unknown): ReadonlyArray<string> => {
  if (typeof value === "string") return value === "" ? [] : [value]
  return typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([key, one]) => [key, ...textsAt(one)])
    : []
}

/** What people typed into an event and stands there in clear: of events of before such texts were sealed. */
export const freeTextInClear = (event: PlatformEvent): ReadonlyArray<string> =>
  (FREE_TEXT.get(event._tag) ?? []).flatMap((path) => textsAt(at(event, path))).filter((text) => !isSealed(text))
