/** Kills of a command that all strike it while it runs, at moments that are spread over the whole of its life. */

import { Effect } from "effect"
import fc from "fast-check"
import type { DrillEnd, KillMoment } from "./LoadedCommands.ts"

/** A part of a command's life, from the first time that the command announces a step. */
export interface Phase {
  readonly name: string
  readonly begins: string
}

/** What a command announced, and how long it took, in milliseconds. */
export type Life = Pick<DrillEnd, "millis" | "steps">

/** The part of every life before its first phase. */
export const BEGIN = "begin"

/** Lives that may end before their kill, one after the other: beyond, the moments are drawn wrong. */
const MOST_LATE = 100

/** The phase of a life after each of its steps: the last one that has begun. */
const phasesAfter = (phases: ReadonlyArray<Phase>, { steps }: Pick<Life, "steps">): ReadonlyArray<string> => {
  let last = -1
  return steps.map((step) => {
    last = Math.max(
      last,
      phases.findLastIndex(({ begins }) => begins === step.name)
    )
    return phases[last]?.name ?? BEGIN
  })
}

/** The last phase that a life has begun. */
export const phaseOf = (phases: ReadonlyArray<Phase>, life: Pick<Life, "steps">): string =>
  phasesAfter(phases, life).at(-1) ?? BEGIN

/** The moment at which a life is so many milliseconds old: by its own steps, and not by a clock that began with it. */
export const momentOf = ({ steps }: Life, age: number): KillMoment => {
  const done = steps.filter(({ at }) => at <= age).length
  return { steps: done, millis: age - (steps[done - 1]?.at ?? 0) }
}

/** A time between two steps, as the ages at which it begins and ends. */
type Pause = readonly [from: number, to: number]

/** The times between the steps of each phase that a life has, in its order. */
export const pausesOf = (phases: ReadonlyArray<Phase>, life: Life): ReadonlyMap<string, ReadonlyArray<Pause>> => {
  const { millis, steps } = life
  const pauses = new Map<string, Array<Pause>>()
  for (const [done, phase] of [BEGIN, ...phasesAfter(phases, life)].entries()) {
    const pause: Pause = [steps[done - 1]?.at ?? 0, steps[done]?.at ?? millis]
    const known = pauses.get(phase)
    if (known === undefined) pauses.set(phase, [pause])
    else known.push(pause)
  }
  return pauses
}

/** Steps of so much of a whole, round and round, come evenly to all of its parts, however many they are. */
const GOLDEN = (Math.sqrt(5) - 1) / 2

/** A number from 0 on, below 1. */
const drawn = (): number => fc.sample(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), 1)[0] ?? 0

/** Kills of one command. */
export class KillDrill {
  readonly #phases: ReadonlyArray<Phase>
  readonly #kills: number
  readonly #struck = new Map<string, number>()
  #begin = drawn()
  #late = 0

  /** @param kills - how many of them strike */
  constructor(phases: ReadonlyArray<Phase>, kills: number) {
    this.#phases = phases
    this.#kills = kills
  }

  /** How many kills struck the command in a phase. */
  struckIn(phase: string): number {
    return this.#struck.get(phase) ?? 0
  }

  get struck(): number {
    return [...this.#struck.values()].reduce((sum, count) => sum + count, 0)
  }

  /** What was struck, by phase, and how many kills came too late, which do not count. */
  get report(): string {
    const phases = [BEGIN, ...this.#phases.map(({ name }) => name)]
    const each = phases.map((phase) => `${phase} ${this.struckIn(phase)}`).join(", ")
    return `${this.struck} of ${this.#kills} struck (${each}); ${this.#late} came too late and were drawn again`
  }

  /**
   * When to kill a life that goes as this one went. One kill in two falls anywhere in it, and they come evenly to the whole
   * of its length. The others take the phases in turn, from the last one on, and in a phase any time between two steps: the
   * short phases have their kills too.
   *
   * @param index - of the kill, from 0 on
   */
  momentIn(life: Life, index: number): KillMoment {
    if (index % 2 === 1) return momentOf(life, ((this.#begin + index * GOLDEN) % 1) * life.millis)
    const phases = [...pausesOf(this.#phases, life).values()].toReversed()
    const pauses = phases[(index / 2) % phases.length] ?? []
    const [from, to] = pauses[Math.floor(drawn() * pauses.length)] ?? [0, 0]
    return momentOf(life, from + drawn() * (to - from))
  }

  /**
   * Kills until a kill strikes. One that comes too late is not counted: the life that it missed is the next one's
   * measure.
   *
   * @param whole - a life that was not killed
   * @param attempt - one life, killed at a moment; each begins from the same state
   */
  strike<E, R>(
    index: number,
    whole: Life,
    attempt: (moment: KillMoment) => Effect.Effect<DrillEnd, E, R>
  ): Effect.Effect<DrillEnd, E, R> {
    return Effect.gen({ self: this }, function* () {
      let measure = whole
      for (let missed = 0; missed < MOST_LATE; missed += 1) {
        const end = yield* attempt(this.momentIn(measure, index))
        if (end.code === null) {
          const phase = phaseOf(this.#phases, end)
          this.#struck.set(phase, this.struckIn(phase) + 1)
          return end
        }
        if (end.code !== 0) throw new Error(`the command failed with ${end.code}: ${end.stderr}`)
        this.#late += 1
        this.#begin = drawn()
        measure = end
      }
      throw new Error(`${MOST_LATE} kills came too late, one after the other`)
    })
  }
}
