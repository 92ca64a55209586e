import type { AssetType } from "../arena/AssetType.ts"
import type { Commitment } from "../arena/Commitment.ts"
import type { MachineTraderEvent } from "../arena/MachineTraderRegistration.ts"
import type { Report } from "./LedgerAudit.ts"
import type { Wire } from "./NaiveOrder.ts"

/** A machine trader from its registration to its retirement. */
interface NaiveMachine {
  readonly owner: string
  readonly capabilities: ReadonlyArray<AssetType>
  readonly from: number
  until: number | null
}

/** The machine traders that administrators registered, told again from the bytes of their events. */
export class MachineAudit {
  readonly #report: Report
  readonly #machines = new Map<string, NaiveMachine>()

  constructor(report: Report) {
    this.#report = report
  }

  event(event: Wire<MachineTraderEvent>): void {
    const { at, traderId } = event
    const known = this.#machines.get(traderId)
    if (event._tag === "MachineTraderRegistered") {
      if (known !== undefined) this.#report("machine", `${traderId} was registered before`)
      const { activeFrom: from, capabilities, owner } = event
      this.#machines.set(traderId, { owner, capabilities, from, until: null })
      return
    }
    if (known === undefined || known.until !== null) this.#report("machine", `${traderId} is not there to retire`)
    if (known !== undefined) known.until = Math.max(known.from, at)
  }

  /** Nobody commits as a machine trader that is retired. */
  committed({ commitmentId, trader: { botId } }: Wire<Commitment>): void {
    const machine = this.#machines.get(botId ?? "")
    if (machine !== undefined && machine.until !== null) {
      this.#report("machine", `${commitmentId} is of ${botId}, which is retired`)
    }
  }

  /** The companies that had an active one for a type at any moment from one time to another. */
  owners(assetType: AssetType, from: number, to: number): ReadonlyArray<string> {
    return [...this.#machines.values()]
      .filter(
        (one) => one.capabilities.includes(assetType) && one.from < to && (one.until === null || one.until > from)
      )
      .map(({ owner }) => owner)
  }

  /** How many are active for a type now. */
  capable(assetType: AssetType): number {
    return [...this.#machines.values()].filter(
      ({ capabilities, until }) => until === null && capabilities.includes(assetType)
    ).length
  }
}
