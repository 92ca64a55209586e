import { Result } from "effect"
import {
  isReservedAgentId,
  type MachineTraderRegistered,
  machineTraderStream,
  registrationCommands
} from "../arena/MachineTraderRegistration.ts"
import type { Command } from "../ledger/Command.ts"
import type { FamilyReplay } from "./FamilyReplay.ts"
import { registeredRow } from "../arena/MachineTraderRows.ts"
import type { RowSink } from "./RowSink.ts"
import type { StoredEvent } from "./StoredEvent.ts"

/** Registers the machine traders that are no bots. Whom one trades for was decided by who had its wallet. */
export class MachineTraderReplay implements FamilyReplay<MachineTraderRegistered> {
  readonly #sink: RowSink
  readonly #agents = new Set<string>()

  constructor(sink: RowSink) {
    this.#sink = sink
  }

  decide(
    event: MachineTraderRegistered,
    { stream, version }: StoredEvent
  ): Result.Result<ReadonlyArray<Command>, string> {
    const expected = machineTraderStream(event.traderId)
    if (stream !== expected) return Result.fail(`belongs in the stream ${expected} and stands in another`)
    if (version !== 1) return Result.fail("registers a machine trader that was registered before")
    if (this.#agents.has(event.agentId)) return Result.fail("registers an agent that was registered before")
    if (event.granted && isReservedAgentId(event.agentId)) return Result.fail("registers an agent under a bot's id")
    return Result.succeed(registrationCommands(event))
  }

  evolve(event: MachineTraderRegistered, stored: StoredEvent): void {
    this.#agents.add(event.agentId)
    this.#sink.put(registeredRow(event), stored)
  }
}
