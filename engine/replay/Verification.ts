import { Result } from "effect"
import type { ChainHash } from "../actor/EventChain.ts"
import { ChainWalk } from "./ChainWalk.ts"
import { readEvent } from "./EventCodec.ts"
import { type Finding, findingAt, type StoredEvent } from "./StoredEvent.ts"
import { type TieHashing, WinnerAudit } from "./WinnerAudit.ts"

/** Walks the chains of a log and recomputes its winners, without deciding anything else again. */
export class Verification {
  readonly chain: ChainWalk
  readonly winners: WinnerAudit

  constructor(hashing: TieHashing & { readonly link: ChainHash }) {
    this.chain = new ChainWalk(hashing.link)
    this.winners = new WinnerAudit(hashing)
  }

  /** Takes the next event; answers what is wrong with it, or nothing. After a finding the walk is over. */
  step(stored: StoredEvent): Finding | undefined {
    const broken = this.chain.step(stored)
    if (broken !== undefined) return broken
    const read = readEvent(stored)
    if (Result.isFailure(read)) return findingAt(stored, read.failure)
    return read.success.of === "order" ? this.winners.step(stored, read.success.event) : undefined
  }
}
