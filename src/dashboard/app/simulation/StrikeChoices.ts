import type { Strike } from "../../../../engine/simulation/Strike.ts"

/** A fault that can be let strike by a press. */
export interface StrikeChoice {
  readonly name: string
  /** What it does. */
  readonly does: string
  readonly strike: Strike
}

/** Every kind of fault there is, in usual strengths. */
export const STRIKE_CHOICES: ReadonlyArray<StrikeChoice> = [
  {
    name: "End the process",
    does: "Everything in memory is gone, and another process goes on from the journal.",
    strike: { kind: "restart" }
  },
  {
    name: "Kill an actor",
    does: "The next actor that writes dies while it waits for the journal.",
    strike: { kind: "crash_actor", moment: "waiting" }
  },
  {
    name: "Kill an actor late",
    does: "The next actor that writes dies just after the commit.",
    strike: { kind: "crash_actor", moment: "after" }
  },
  {
    name: "Fail the journal",
    does: "The next three transactions fail.",
    strike: { kind: "fail_journal", half: false, times: 3 }
  },
  {
    name: "Lose answers",
    does: "The next three transactions are written, and nobody hears of it.",
    strike: { kind: "fail_journal", half: true, times: 3 }
  },
  {
    name: "Slow the journal",
    does: "For ten seconds every transaction takes two seconds longer.",
    strike: { kind: "slow_journal", for: 10_000, by: 2_000 }
  },
  {
    name: "Blind the actors",
    does: "For three seconds actors cannot read their history.",
    strike: { kind: "blind_actors", for: 3_000 }
  },
  {
    name: "Delay messages",
    does: "For twenty seconds half the messages arrive up to ten seconds late.",
    strike: { kind: "delay", for: 20_000, by: 10_000 }
  },
  {
    name: "Double messages",
    does: "For twenty seconds half the messages arrive twice.",
    strike: { kind: "duplicate", for: 20_000, after: 200 }
  },
  {
    name: "Stall prices",
    does: "For a minute there are no prices.",
    strike: { kind: "stall_oracle", for: 60_000 }
  },
  {
    name: "Spike prices",
    does: "For ten seconds all prices are a fifth too high.",
    strike: { kind: "spike_oracle", for: 10_000, factor: 1_200_000 }
  },
  {
    name: "Clock forward",
    does: "The clock is set a minute forward.",
    strike: { kind: "jump_clock", by: 60_000 }
  },
  {
    name: "Clock back",
    does: "The clock is set five seconds back.",
    strike: { kind: "jump_clock", by: -5_000 }
  },
  {
    name: "Close the vault",
    does: "For fifteen seconds the vault takes no deposits.",
    strike: { kind: "close_vault", for: 15_000 }
  }
]
