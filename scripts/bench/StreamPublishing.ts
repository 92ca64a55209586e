import { setTimeout } from "node:timers/promises"

/** Publishes so many messages a second for a while. */
export interface PublishPlan {
  readonly kind: "publish"
  readonly rate: number
  readonly millis: number
}

/** What came of it: slower than planned where the publisher itself could not keep up. */
export interface Published {
  readonly messages: number
  readonly millis: number
}

/** What stands in a message right before the time at which it was published, in microseconds since 1970. */
export const MARK = "com_at_"

/** How often what has become due is published. */
const TICK = 5

/** Microseconds since 1970, the same in all processes of a machine. */
export const microsNow = (): number => Math.floor((performance.timeOrigin + performance.now()) * 1_000)

/** Hands out how many messages have become due, every few milliseconds, until the last. */
export const paced = async ({ rate, millis }: PublishPlan, publish: (count: number) => void): Promise<Published> => {
  const total = Math.round((rate * millis) / 1_000)
  const begun = performance.now()
  let published = 0
  while (published < total) {
    const due = Math.min(total, Math.floor(((performance.now() - begun) * rate) / 1_000))
    if (due > published) publish(due - published)
    published = Math.max(published, due)
    await setTimeout(TICK)
  }
  return { messages: published, millis: performance.now() - begun }
}
