import { describe, expect, it } from "bun:test"
import { WebhookReceivers } from "../../../../engine/simulation/platform/WebhookReceivers.ts"

describe("WebhookReceivers", () => {
  it("answers the same for the same seed, and remembers what it took", () => {
    const [one, other] = [new WebhookReceivers(5), new WebhookReceivers(5)]
    const ask = (receivers: WebhookReceivers) =>
      Array.from({ length: 60 }, (_, number) => receivers.receive(`w${number % 6}`, `d${number}`))
    const answers = ask(one)
    expect(ask(other)).toEqual(answers)
    expect(one.taken.size).toBe(answers.filter(({ status }) => status === 200).length)
    expect(new Set(answers.map(({ status }) => status)).size).toBeGreaterThan(2)
  })
})
