import { Result } from "effect"
import {
  isReservedAgentId,
  type MachineTraderEvent,
  type MachineTraderRegistered,
  type MachineTraderRetired,
  machineTraderStream,
  registrationCommands,
  retirementCommands
} from "../arena/MachineTraderRegistration.ts"
import { registeredRow, retiredRow } from "../arena/MachineTraderRows.ts"
import type { Command } from "../ledger/Command.ts"
import type { FamilyReplay } from "./FamilyReplay.ts"
import type { RowSink } from "./RowSink.ts"
import type { StateRow } from "./StateTable.ts"
import type { StoredEvent } from "./StoredEvent.ts"

type Decided = Result.Result<ReadonlyArray<Command>, string>

/** Registers and retires the machine traders that are no bots. Whom one trades for was decided by who had its wallet. */
export class MachineTraderReplay implements FamilyReplay<MachineTraderEvent> {
  readonly #sink: RowSink
  readonly #agents = new Set<string>()
  /** By their ids, those that are not retired. */
  readonly #active = new Map<string, StateRow>()

  constructor(sink: RowSink) {
    this.#sink = sink
  }

  decide(event: MachineTraderEvent, stored: StoredEvent): Decided {
    const expected = machineTraderStream(event.traderId)
    if (stored.stream !== expected) return Result.fail(`belongs in the stream ${expected} and stands in another`)
    return event._tag === "MachineTraderRetired" ? this.#retire(event, stored) : this.#register(event, stored)
  }

  #register(event: MachineTraderRegistered, { version }: StoredEvent): Decided {
    if (version !== 1) return Result.fail("registers a machine trader that was registered before")
    if (this.#agents.has(event.agentId)) return Result.fail("registers an agent that was registered before")
    if (event.granted && isReservedAgentId(event.agentId)) return Result.fail("registers an agent under a bot's id")
    return Result.succeed(registrationCommands(event))
  }

  #retire(event: MachineTraderRetired, { version }: StoredEvent): Decided {
    if (!this.#active.has(event.traderId)) return Result.fail("retires a machine trader that is not active")
    if (version !== 2) return Result.fail("retires a machine trader of whom more was recorded")
    return Result.succeed(retirementCommands(event))
  }

  evolve(event: MachineTraderEvent, stored: StoredEvent): void {
    if (event._tag === "MachineTraderRetired") {
      const registered = this.#active.get(event.traderId)
      this.#active.delete(event.traderId)
      if (registered !== undefined) this.#sink.put(retiredRow(registered, event), stored)
      return
    }
    const row = registeredRow(event)
    this.#agents.add(event.agentId)
    this.#active.set(event.traderId, row)
    this.#sink.put(row, stored)
  }
}
