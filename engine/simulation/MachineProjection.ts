import type { ChainedEvent } from "../actor/CommitGroup.ts"
import type { AssetType } from "../arena/AssetType.ts"
import type { AskedMachine } from "../arena/TraderStatus.ts"
import type { PlatformEvent } from "../replay/PlatformEvent.ts"
import type { SimulatedMachines } from "./FactsPorts.ts"

interface Registered extends Omit<AskedMachine, "isActive"> {
  readonly capabilities: ReadonlyArray<AssetType>
  readonly from: number
  readonly until: number | null
}

/** The machine traders that administrators registered, as the committed events make them. */
export class MachineProjection implements SimulatedMachines {
  readonly #machines = new Map<string, Registered>()

  apply(recorded: ReadonlyArray<ChainedEvent<PlatformEvent>>): void {
    for (const { event } of recorded) {
      if (event._tag === "MachineTraderRegistered") {
        const { activeFrom: from, capabilities, owner, traderId: id, userId, walletAddress: address } = event
        this.#machines.set(id, { id, owner, userId, address, isBot: false, capabilities, from, until: null })
      }
      if (event._tag !== "MachineTraderRetired") continue
      const known = this.#machines.get(event.traderId)
      if (known !== undefined) this.#machines.set(known.id, { ...known, until: Math.max(known.from, event.at) })
    }
  }

  /** One as whoever commits as it is checked. */
  machine(id: string): AskedMachine | undefined {
    const known = this.#machines.get(id)
    if (known === undefined) return undefined
    const { address, isBot, owner, until, userId } = known
    return { id, owner, userId, address, isBot, isActive: until === null }
  }

  activeOwners(assetType: AssetType, from: number, to: number): ReadonlyArray<string> {
    return [...this.#machines.values()]
      .filter(
        (one) => one.capabilities.includes(assetType) && one.from < to && (one.until === null || one.until > from)
      )
      .map(({ owner }) => owner)
  }

  capableCount(assetType: AssetType): number {
    return [...this.#machines.values()].filter(
      ({ capabilities, until }) => until === null && capabilities.includes(assetType)
    ).length
  }
}
