import { describe, expect, it } from "bun:test"
import { Effect } from "effect"
import { type Batch, type Journal, JournalUnavailable } from "../../../engine/actor/Journal.ts"
import { capital } from "../../../engine/ledger/Funding.ts"
import { accountId } from "../../../engine/ledger/Account.ts"
import type { PlatformEvent } from "../../../engine/replay/PlatformEvent.ts"
import { PatientJournal } from "../../../engine/simulation/PatientJournal.ts"
import { companyWorld, usd } from "../../lib/CompanyWorld.ts"

const account = accountId("usr_1", "USD", "wallet")
const BATCH: Batch<PlatformEvent> = {
  stream: "capital/1",
  version: 0,
  entries: [
    {
      commands: [capital(account, usd(5), "opening")],
      event: { _tag: "CapitalFunded", at: 0, account, asset: "USD", amount: usd(5) }
    }
  ]
}

const unanswered = Effect.fail(new JournalUnavailable({ reason: "nothing answers" }))

/** A writer whose first attempts are not answered. */
const failing = (...attempts: ReadonlyArray<"lost" | "written" | "silent">) => {
  const { clock, fork, journal, listen, run } = companyWorld()
  const left = [...attempts]
  const reported: Array<string> = []
  const append: Journal<PlatformEvent>["append"] = (batch) => {
    const next = left.shift()
    if (next === "lost") return unanswered
    if (next === "silent") return Effect.never
    return next === "written" ? Effect.andThen(journal.append(batch), unanswered) : journal.append(batch)
  }
  const writer = new PatientJournal({
    clock,
    fork,
    journal: { append },
    report: (invariant, detail) => void reported.push(`${invariant}: ${detail}`)
  })
  listen((recorded) => writer.committed(recorded))
  const pass = () => void run(Effect.sleep(3_000))
  return {
    journal,
    pass,
    reported,
    run,
    writer,
    count: () => journal.events.length,
    tries: () => attempts.length - left.length
  }
}

describe("PatientJournal", () => {
  it("asks until it is recorded, once, whether it was lost or only its answer was", () => {
    for (const attempts of [[], ["lost", "lost"], ["written"], ["lost", "written"]] as const) {
      const { count, pass, reported, tries, writer } = failing(...attempts)
      writer.write([BATCH])
      pass()
      writer.restart()
      pass()
      expect([count(), tries(), reported]).toEqual([1, attempts.length, []])
    }
  })

  it("asks the next process for what the one before never answered", () => {
    const { count, pass, writer } = failing("silent")
    writer.write([BATCH])
    pass()
    expect(count()).toBe(0)
    writer.restart()
    pass()
    expect(count()).toBe(1)
  })

  it("asks again for what follows something that is not written yet", () => {
    const { count, pass, reported, writer } = failing("lost", "lost")
    writer.write([
      { ...BATCH, version: 1, entries: BATCH.entries.map((entry) => ({ ...entry, event: { ...entry.event } })) }
    ])
    pass()
    expect(count()).toBe(0)
    writer.write([BATCH])
    pass()
    expect([count(), reported]).toEqual([2, []])
  })

  it("reports what is refused, and what somebody else wrote before", () => {
    const refused = failing()
    const overdrawn = { _tag: "Close", account: accountId("usr_1", "USD", "wallet") } as const
    const closing = { ...BATCH, stream: "capital/2", entries: [{ ...BATCH.entries[0]!, commands: [overdrawn] }] }
    refused.writer.write([closing])
    refused.pass()
    refused.writer.write([BATCH])
    refused.pass()
    expect(refused.reported).toEqual(["opening: what has to be recorded in capital/1 is refused"])
    const replaced = failing()
    replaced.run(replaced.journal.append({ ...BATCH, entries: BATCH.entries.map((entry) => ({ ...entry })) }))
    replaced.writer.write([
      { ...BATCH, entries: BATCH.entries.map((entry) => ({ ...entry, event: { ...entry.event } })) }
    ])
    replaced.pass()
    expect(replaced.reported).toEqual([
      "opening: what has to be recorded in capital/1 was written before, and not by this"
    ])
  })
})
