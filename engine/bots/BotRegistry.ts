import { ASSET_TYPES, type AssetType } from "../arena/AssetType.ts"
import type { PlatformEvent } from "../replay/PlatformEvent.ts"
import type { BotStatus } from "./BotLifecycle.ts"

/** A bot that has to be woken; `reload` where it changed itself. */
export interface Waking {
  readonly botId: string
  readonly reload: boolean
}

/** A bot as it was recorded. */
export interface EnteredBot {
  readonly botId: string
  readonly profile: { readonly capabilities: ReadonlyArray<AssetType> }
  readonly standing: { readonly status: BotStatus }
}

const NOBODY: ReadonlyArray<Waking> = []

/** The asset types as one number, a bit each. */
const bitsOf = (capabilities: ReadonlyArray<AssetType>): number =>
  ASSET_TYPES.reduce((bits, type, index) => (capabilities.includes(type) ? bits | (1 << index) : bits), 0)

/**
 * Who has to be woken by what is recorded: an order wakes the active bots of its asset type, what happens to a bot
 * wakes it. It knows every bot that is not terminated, by two numbers each.
 */
export class BotRegistry {
  readonly #capabilities = new Map<string, number>()
  readonly #active = new Set<string>()

  /** Takes in a bot as it was recorded, unless more was heard of it since. */
  enter({ botId, profile, standing }: EnteredBot): void {
    if (this.#capabilities.has(botId) || standing.status === "terminated") return
    this.#capabilities.set(botId, bitsOf(profile.capabilities))
    this.#setActive(botId, standing.status === "active")
  }

  /** The active bots. */
  active(): ReadonlyArray<string> {
    return [...this.#active]
  }

  /** Takes in a recorded event, and answers whom it wakes. */
  hear(event: PlatformEvent): ReadonlyArray<Waking> {
    switch (event._tag) {
      case "OrderOpened":
        return this.#capable(event.terms.assetType)
      case "BotCreated":
        this.#capabilities.set(event.botId, bitsOf(event.profile.capabilities))
        return NOBODY
      case "BotChanged":
        this.#capabilities.set(event.botId, bitsOf(event.profile.capabilities))
        return this.#changed(event.botId)
      case "BotStarted":
      case "BotResumed":
        this.#setActive(event.botId, true)
        return this.#changed(event.botId)
      case "BotPaused":
      case "BotSuspended":
        this.#setActive(event.botId, false)
        return NOBODY
      case "BotTerminated":
        this.#leave(event.botId)
        return NOBODY
      default:
        return NOBODY
    }
  }

  #capable(assetType: AssetType): ReadonlyArray<Waking> {
    const bit = bitsOf([assetType])
    const woken: Array<Waking> = []
    for (const botId of this.#active) {
      if (((this.#capabilities.get(botId) ?? 0) & bit) !== 0) woken.push({ botId, reload: false })
    }
    return woken
  }

  #changed(botId: string): ReadonlyArray<Waking> {
    return this.#active.has(botId) ? [{ botId, reload: true }] : NOBODY
  }

  #setActive(botId: string, active: boolean): void {
    if (active) this.#active.add(botId)
    else this.#active.delete(botId)
  }

  #leave(botId: string): void {
    this.#capabilities.delete(botId)
    this.#active.delete(botId)
  }
}
