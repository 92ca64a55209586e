import type { ScenarioSpec } from "../engine/simulation/Scenario.ts"

/** Who trades in each simulation of a command: as many as are drawn, or those of a world, whose file it names. */
export type Population = Required<Pick<ScenarioSpec, "bots" | "companies" | "traders">> & Pick<ScenarioSpec, "world">

/** The part of a specification that tells of a population. */
export const populated = ({ bots, companies, ...rest }: Population): Pick<ScenarioSpec, keyof Population> => ({
  ...rest,
  ...(bots > 0 && { bots }),
  ...(companies > 0 && { companies })
})
