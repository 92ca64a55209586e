import type { ChainHash } from "../actor/EventChain.ts"
import { Auditor } from "./Auditor.ts"
import { NOBODY, type OperatorListener } from "./OperatorDesk.ts"
import { PlatformAudit } from "./platform/PlatformAudit.ts"
import { isAlwaysActive, ruleOf, type Scenario } from "./Scenario.ts"
import type { SimulatedKeys } from "./SimulationHashing.ts"
import type { VirtualClock } from "./VirtualClock.ts"

interface JudgedWorld {
  readonly link: ChainHash
  readonly keys: SimulatedKeys
  readonly clock: VirtualClock
}

/** The auditor of a scenario, told from outside what the scenario's world is. */
export const auditorOf = (
  { bots, companies, limits, spec, traders, yields }: Scenario,
  { clock, keys, link }: JudgedWorld
): Auditor => {
  const credits = new Map(bots.map(({ company }) => [company.companyId, company.monthlyGrant]))
  const apys = yields.map(({ apy }) => apy)
  const machines = traders.filter(isAlwaysActive)
  return new Auditor({
    link,
    tieKey: keys.tieKey,
    tieHash: keys.tieHash,
    machineOwners: new Set(machines.map(({ owner }) => owner)),
    machines: machines.length,
    monthlyCredits: (companyId) => credits.get(companyId) ?? 0n,
    platform: companies.length === 0 ? undefined : (report) => new PlatformAudit(report),
    rule: ruleOf(spec),
    limits,
    yields: {
      least: apys.reduce((low, apy) => (apy < low ? apy : low)),
      most: apys.reduce((high, apy) => (apy > high ? apy : high))
    },
    now: () => clock.currentTimeMillisUnsafe(),
    elapsed: () => clock.elapsed
  })
}

/** Who hears what is answered: nobody where nothing is judged. */
export const listenerOf = (auditor: Auditor, isJudged: boolean): OperatorListener =>
  isJudged
    ? {
        asked: (item) => auditor.asked(item),
        acknowledged: (recorded) => auditor.acknowledged(recorded),
        refused: (key) => auditor.refused(key),
        pausing: (companyId) => auditor.pausing(companyId)
      }
    : NOBODY
