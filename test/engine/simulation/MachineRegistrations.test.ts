import { expect, it } from "bun:test"
import { Effect } from "effect"
import { lossAllowanceOf } from "../../../engine/ledger/LossLimit.ts"
import { machineIdOf, planRegistrations } from "../../../engine/simulation/MachineRegistrations.ts"
import { PatientJournal } from "../../../engine/simulation/PatientJournal.ts"
import type { TraderPlan } from "../../../engine/simulation/Scenario.ts"
import { companyWorld, usd } from "../../lib/CompanyWorld.ts"

const MACHINE: TraderPlan = {
  index: 3,
  id: "usr_3",
  owner: "cmp_3",
  type: "machine",
  barred: null,
  balance: usd(5),
  allowance: usd(7)
}

const unreachable = (...problem: ReadonlyArray<string>): never => {
  throw new Error(problem.join(": "))
}

it("An administrator registers a machine trader with its allowance, and retires it, which closes that", () => {
  const { clock, fork, journal, run } = companyWorld()
  const writer = new PatientJournal({ clock, fork, journal, report: unreachable })
  const traders = [
    { ...MACHINE, registered: { at: 1_000, retiredAt: 5_000 } },
    { ...MACHINE, index: 4 },
    { ...MACHINE, index: 5, type: "human", registered: { at: 1_000 } } as const
  ]
  planRegistrations({ clock, writer, traders })
  const account = lossAllowanceOf(machineIdOf(MACHINE))
  run(Effect.sleep(2_000))
  expect(journal.account(account)).toMatchObject({ balance: usd(7), closed: false })
  run(Effect.sleep(5_000))
  expect(journal.account(account)).toMatchObject({ balance: usd(7), closed: true })
  expect(journal.events.map(({ data }) => [JSON.parse(data)._tag, JSON.parse(data).traderId])).toEqual([
    ["MachineTraderRegistered", "mtr_3"],
    ["MachineTraderRetired", "mtr_3"]
  ])
})
