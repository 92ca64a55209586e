import type { Told } from "./FanOut.ts"

/** A delivery that begins, or is held if the day has no room for it. */
export interface NewDelivery {
  readonly id: string
  readonly webhookId: string
  /** Whose webhook it is. */
  readonly companyId: string
  readonly eventId: string
  readonly seq: number
  readonly status: "pending" | "held"
}

/** A delivery to each hearer. Those that the day has room for begin, and use up the room. */
export const deliveriesOf = (
  told: ReadonlyArray<Told>,
  ids: ReadonlyArray<string>,
  room: Map<string, number>
): ReadonlyArray<NewDelivery> => {
  const deliveries: Array<NewDelivery> = []
  for (const { hearers, message, seq } of told) {
    for (const { companyId, webhookId } of hearers) {
      const left = room.get(companyId) ?? 0
      const status = left > 0 ? "pending" : "held"
      room.set(companyId, left - 1)
      deliveries.push({ id: ids[deliveries.length] ?? "", webhookId, companyId, eventId: message.id, seq, status })
    }
  }
  return deliveries
}
