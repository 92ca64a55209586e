import { Schema } from "effect"
import type { Entry } from "../actor/Journal.ts"
import type { Command } from "../ledger/Command.ts"
import { commitmentGateOf } from "../ledger/Funding.ts"
import { eventDecoder } from "../actor/EventBytes.ts"

/**
 * Why a company's commitments are halted: somebody asked, nobody asked again in time, a connection ended that was to halt
 * them, or the platform started anew, which ends all connections.
 */
export const HALT_CAUSES = ["asked", "deadline", "disconnected", "restarted"] as const

export type HaltCause = (typeof HALT_CAUSES)[number]

/** When it was halted last, by whom and why. */
export const Halted = Schema.Struct({
  /** Milliseconds since 1970. */
  at: Schema.Int,
  /** The user who acted; null for the platform itself. */
  by: Schema.NullOr(Schema.String),
  cause: Schema.Literals(HALT_CAUSES)
})
export type Halted = typeof Halted.Type

/** Whether a company may commit, and what would halt it. */
export const CommitmentHalt = Schema.Struct({
  /** Null: it may. */
  halted: Schema.NullOr(Halted),
  /** When it is halted unless somebody asks again before; null: never. */
  deadlineAt: Schema.NullOr(Schema.Int),
  /** Whether there are connections whose end halts it. They end with the process, too. */
  armed: Schema.Boolean
})
export type CommitmentHalt = typeof CommitmentHalt.Type

/** A company of which nothing was recorded. */
export const NOT_HALTED: CommitmentHalt = { halted: null, deadlineAt: null, armed: false }

/** What somebody asks for. */
export type HaltAsk =
  | { readonly act: "halt"; readonly cause: HaltCause }
  | { readonly act: "resume" }
  | { readonly act: "deadline"; readonly deadlineAt: number | null }
  | { readonly act: "arm"; readonly armed: boolean }

/** What was asked for, and the whole state after it. */
export const CommitmentHaltSet = Schema.TaggedStruct("CommitmentHaltSet", {
  at: Schema.Int,
  by: Schema.NullOr(Schema.String),
  companyId: Schema.String,
  act: Schema.Literals(["halt", "resume", "deadline", "arm"]),
  /** Why a halt was asked for, also where it was halted before; null for what is no halt. */
  cause: Schema.NullOr(Schema.Literals(HALT_CAUSES)),
  ...CommitmentHalt.fields
})
export type CommitmentHaltSet = typeof CommitmentHaltSet.Type

/** Reads an event back from the bytes it was recorded with. Dies on bytes that no event encodes to. */
export const decodeCommitmentHalt = eventDecoder(CommitmentHaltSet)

/** Where the halts of a company's commitments are recorded. */
export const commitmentHaltStream = (companyId: string): string => `commitment-halt/${companyId}`

/** Who asks, and when. */
interface ActingUser {
  readonly companyId: string
  readonly at: number
  readonly by: string | null
}

/** The state as an act leaves it. A deadline that halted is over. */
const afterAct = (state: CommitmentHalt, ask: HaltAsk, { at, by }: ActingUser): CommitmentHalt => {
  switch (ask.act) {
    case "halt":
      return {
        ...state,
        halted: { at, by, cause: ask.cause },
        deadlineAt: ask.cause === "deadline" ? null : state.deadlineAt
      }
    case "resume":
      return { ...state, halted: null }
    case "deadline":
      return { ...state, deadlineAt: ask.deadlineAt }
    case "arm":
      return { ...state, armed: ask.armed }
  }
}

/** The ledger takes no commitment of a company whose gate is closed. */
const commandsOf = (act: HaltAsk["act"], companyId: string): ReadonlyArray<Command> => {
  const account = commitmentGateOf(companyId)
  if (act === "halt") return [{ _tag: "Close", account }]
  return act === "resume" ? [{ _tag: "Open", account }] : []
}

/** Decides what is asked for: there is no reason to refuse it. */
export const decideHalt = (state: CommitmentHalt, ask: HaltAsk, actor: ActingUser): Entry<CommitmentHaltSet> => {
  const { at, by, companyId } = actor
  const { armed, deadlineAt, halted } = afterAct(state, ask, actor)
  const cause = ask.act === "halt" ? ask.cause : null
  return {
    commands: commandsOf(ask.act, companyId),
    event: { _tag: "CommitmentHaltSet", at, by, companyId, act: ask.act, cause, halted, deadlineAt, armed }
  }
}

/** What an event was asked for by. */
export const askOf = ({ act, armed, cause, deadlineAt }: CommitmentHaltSet): HaltAsk => {
  switch (act) {
    case "halt":
      return { act, cause: cause ?? "asked" }
    case "resume":
      return { act }
    case "deadline":
      return { act, deadlineAt }
    case "arm":
      return { act, armed }
  }
}
