import { Effect } from "effect"
import type { PlatformEvent } from "../../engine/replay/PlatformEvent.ts"
import { fromUnits } from "../../engine/money/Amount.ts"
import type { BotFailure } from "../../engine/simulation/SimulatedBots.ts"
import type { BotWorld } from "../../engine/bots/BotWorld.ts"
import type { OrderBehavior } from "../../engine/simulation/SimulatedArena.ts"
import type { Planted } from "../../engine/simulation/SimulationEnvironment.ts"
import { altered } from "./AlteredLedger.ts"
import { rewriting } from "./PlantedBugs.ts"

type Commit = BotWorld<BotFailure>["commit"]

/** An order that forgets which decisions it took. */
const forgetful = (given: OrderBehavior): OrderBehavior => ({
  ...given,
  receive: (state, batch) =>
    Effect.suspend(() => {
      Object.assign(state.commitments, { hasDecision: () => false })
      return given.receive(state, batch)
    })
})

const twice =
  (commit: Commit): Commit =>
  (carried) =>
    Effect.andThen(commit(carried), commit(carried))

const rewritten = <T extends PlatformEvent["_tag"]>(
  tag: T,
  rewrite: (event: PlatformEvent & { readonly _tag: T }) => PlatformEvent
): Planted => {
  const isOf = (event: PlatformEvent): event is PlatformEvent & { readonly _tag: T } => event._tag === tag
  return rewriting((event) => (isOf(event) ? rewrite(event) : event))
}

/** A journal to which it is all the same whether a guard is still what a pause was decided on. */
const unconditional: Planted = {
  journal: { batch: (batch) => (batch.stream.startsWith("bot/") ? { ...batch, preconditions: [] } : batch) }
}

/** A journal whose ledger asks for no kill switch. */
const ungated: Planted = {
  journal: {
    batch: (batch) => ({
      ...batch,
      entries: batch.entries.map((entry) => ({
        ...entry,
        commands: entry.commands.map((command) => {
          if (command._tag !== "Hold") return command
          const { gate: _gate, ...hold } = command
          return hold
        })
      }))
    })
  }
}

/** Looks at what was asked first, and at its version now. */
const firstDeadline = (): NonNullable<Planted["guard"]> => {
  const first = new Map<string, number>()
  return ({ deadlineAt, version }, companyId) => {
    if (deadlineAt === null) first.delete(companyId)
    else first.set(companyId, first.get(companyId) ?? deadlineAt)
    return { deadlineAt: first.get(companyId) ?? null, version }
  }
}

/** Takes a guard that was called off for the one before. */
const lastDeadline = (): NonNullable<Planted["guard"]> => {
  const last = new Map<string, number>()
  return ({ deadlineAt, version }, companyId) => {
    if (deadlineAt !== null) last.set(companyId, deadlineAt)
    return { deadlineAt: last.get(companyId) ?? null, version }
  }
}

/** Faults of bots and of their credits. The auditor must find each of them, by one of these rules. */
export const PLANTED_BOT_BUGS: ReadonlyArray<{
  readonly bug: string
  readonly planted: Planted
  readonly found: ReadonlyArray<string>
  /** A seed from which on one that shows it is near, where one in a hundred does. */
  readonly from?: number
}> = [
  {
    bug: "commits twice for one decision",
    planted: { behavior: forgetful, botCommit: twice },
    found: ["committed_twice"]
  },
  {
    bug: "bids more than it decided",
    planted: {
      botCommit: (commit) => (carried) => {
        const { decision } = carried
        return commit({ ...carried, decision: { ...decision, exitPrice: fromUnits(decision.exitPrice + 1n) } })
      }
    },
    found: ["decision"]
  },
  {
    bug: "commits what it decided not to",
    planted: rewritten("BotDecided", (event) => ({ ...event, decision: { ...event.decision, code: "roi_too_low" } })),
    found: ["decision"]
  },
  {
    bug: "acts on what it was only asked",
    planted: rewritten("BotDecided", (event) => ({ ...event, dryRun: true })),
    found: ["decision"]
  },
  {
    bug: "is paused and commits on",
    planted: altered((command) => (command._tag === "Close" ? [] : [command])),
    found: ["bot_active", "closed"]
  },
  {
    bug: "starts what was terminated",
    planted: rewritten("BotPaused", ({ at, botId, by }) => ({
      _tag: "BotTerminated",
      at,
      botId,
      by,
      turn: 2,
      allowance: fromUnits(0n),
      amount: fromUnits(0n)
    })),
    found: ["bot_status", "bot_active", "bot_turn", "terminated"]
  },
  {
    bug: "takes paid credits before free ones",
    planted: rewritten("BotDecided", ({ charge, ...event }) => ({
      ...event,
      charge: charge === null ? null : { ...charge, free: charge.paid, paid: charge.free }
    })),
    found: ["free_first"]
  },
  {
    bug: "is charged nothing for what it decides",
    planted: rewritten("BotDecided", (event) => ({ ...event, charge: null })),
    found: ["charge"]
  },
  {
    bug: "releases a charge that it should take",
    planted: altered((command) =>
      command._tag === "Capture" && command.hold.startsWith("credits/")
        ? [{ _tag: "Release", hold: command.hold }]
        : [command]
    ),
    found: ["balance", "credits"]
  },
  {
    bug: "gets a month's credits twice",
    planted: altered((command) =>
      command._tag === "Transfer" && command.id.startsWith("credits-grant/")
        ? [{ ...command, amount: fromUnits(2n * command.amount) }]
        : [command]
    ),
    found: ["balance", "credits"]
  },
  {
    bug: "passes its budget",
    planted: rewritten("CreditBudgetSet", (event) => ({ ...event, after: fromUnits(event.after + 1n) })),
    found: ["budget"]
  },
  {
    bug: "may lose more than its part",
    planted: rewritten("BotFunded", (event) => ({ ...event, amount: fromUnits(event.amount / 2n) })),
    found: ["bot_funds", "loss_limit"]
  },
  {
    bug: "is committed as by another company",
    planted: { operatorSubmission: (submission) => ({ ...submission, barred: null }) },
    found: ["bot_terms", "operator"]
  },
  {
    bug: "is committed as twice under one id",
    planted: { operatorSubmission: (submission) => ({ ...submission, idempotency: undefined }) },
    found: ["committed_twice"]
  },
  {
    bug: "is committed as for another quantity than was asked",
    planted: {
      operatorSubmission: (submission) => ({ ...submission, quantity: fromUnits(submission.quantity / 2n) })
    },
    found: ["operator"]
  },
  {
    bug: "is left out where all are to be paused",
    planted: { pausing: (botIds) => botIds.slice(1) },
    found: ["kill_switch", "dead_man"]
  },
  {
    bug: "goes on after nobody asked again",
    planted: { guard: ({ version }) => ({ deadlineAt: null, version }) },
    found: ["dead_man"]
  },
  {
    bug: "is paused although somebody asked again in time",
    planted: { guard: firstDeadline() },
    found: ["guard"]
  },
  {
    bug: "is paused after the switch was called off",
    planted: { guard: lastDeadline() },
    found: ["guard"]
  },
  {
    bug: "is paused on a switch that was asked for again just then",
    planted: unconditional,
    found: ["guard"],
    from: 280
  },
  {
    bug: "is committed as although its company pulled the kill switch",
    planted: ungated,
    found: ["halt"]
  },
  {
    bug: "keeps what it had when it ended",
    planted: altered((command) =>
      command._tag === "Transfer" && command.purpose === "collateral" && command.from.startsWith("bot_")
        ? []
        : [command]
    ),
    found: ["balance"]
  }
]
