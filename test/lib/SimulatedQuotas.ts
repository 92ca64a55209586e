import { QuotaLoans } from "../../engine/cluster/QuotaLoans.ts"
import { BLOCKS, type QuotaHolder, type QuotaReply } from "../../engine/cluster/QuotaPart.ts"
import { QuotaShare } from "../../engine/cluster/QuotaShare.ts"
import { ApiError } from "../../src/api/ApiError.ts"
import { ALLOWANCES, FRAME_COST, SocketLimits, type SocketPlace } from "../../src/http/SocketLimits.ts"

/** Nodes that borrow. */
export const NODES = 3
const STATE_INTERVAL = 1_000
/** The longest that a node waits for an answer. */
const PATIENCE = 3_000

/** A node that borrows. */
export class QuotaNode {
  readonly limits = new SocketLimits(true, 0)
  readonly name: string
  readonly share: QuotaShare
  readonly places: Array<SocketPlace> = []
  isCut = false
  stateAt = 0
  /** When a statement was last heard at home. */
  heardAt = Number.NEGATIVE_INFINITY

  constructor(name: string) {
    this.name = name
    this.share = new QuotaShare(name, "run", this.limits)
    this.limits.shareWith({ elsewhere: () => 0, changed: (...change) => this.share.changed(...change) })
  }
}

interface Message {
  readonly at: number
  readonly deliver: () => void
}

/** Who connects everywhere: it is not signed in. */
export const caller: QuotaHolder = { caller: "address:192.0.2.7", companyId: undefined }
/** Of what is sent: so that what is left of a quota is sent almost to the end. */
export const FRAME_BYTES = 1_000

/** What its connections may send together. */
export const QUOTA = ALLOWANCES.anonymous.bytes

/** Several nodes and their home, with a clock, and messages that come late or not at all. */
export class SimulatedQuotas {
  home = new SocketLimits(true)
  loans = new QuotaLoans(this.home)
  readonly nodes = Array.from({ length: NODES }, (_, index) => new QuotaNode(`node-${index}`))
  homePlaces: Array<SocketPlace> = []
  readonly let: Array<{ readonly at: number; readonly cost: number }> = []
  now = 0
  #messages: Array<Message> = []
  readonly #chance: () => number

  /** @param chance - from 0 up to 1, for what becomes of messages */
  constructor(chance: () => number) {
    this.#chance = chance
    this.#serve()
  }

  #serve(): void {
    this.home.shareWith({ elsewhere: (group, now) => this.loans.socketsOf(group, now), changed: () => undefined })
  }

  /** Another home, which knows nothing. */
  replaceHome(): void {
    this.home = new SocketLimits(true)
    this.homePlaces = []
    this.loans = new QuotaLoans(this.home)
    this.#serve()
  }

  /** Undefined: the message is lost. */
  #delay(node: QuotaNode): number | undefined {
    return node.isCut || this.#chance() < 0.15 ? undefined : Math.floor(this.#chance() * 300)
  }

  #send(delay: number | undefined, deliver: () => void): void {
    if (delay !== undefined) this.#messages.push({ at: this.now + delay, deliver })
  }

  pass(millis: number): void {
    const until = this.now + millis
    for (;;) {
      const next = this.#messages.toSorted((one, other) => one.at - other.at)[0]
      const state = this.nodes.toSorted((one, other) => one.stateAt - other.stateAt)[0]
      if (state === undefined || Math.min(next?.at ?? until + 1, state.stateAt) > until) break
      if (next !== undefined && next.at <= state.stateAt) {
        this.now = Math.max(this.now, next.at)
        this.#messages = this.#messages.filter((message) => message !== next)
        next.deliver()
      } else {
        this.now = Math.max(this.now, state.stateAt)
        this.#state(state)
      }
    }
    this.now = until
  }

  #state(node: QuotaNode): void {
    node.stateAt = this.now + PATIENCE + STATE_INTERVAL
    const statement = node.share.statement(this.now)
    let isOver = false
    const answer = (reply: QuotaReply | undefined) => {
      if (isOver) return
      isOver = true
      node.share.answered(reply, this.now)
      node.stateAt = this.now + STATE_INTERVAL
    }
    if (statement === undefined) {
      node.stateAt = this.now + STATE_INTERVAL
      return
    }
    this.#messages.push({ at: this.now + PATIENCE, deliver: () => answer(undefined) })
    this.#send(this.#delay(node), () => {
      node.heardAt = this.now
      const reply = this.loans.hear(statement, this.now)
      this.#send(this.#delay(node), () => answer(reply))
    })
  }

  openAtHome(): boolean {
    const place = this.home.admit(caller, this.now)
    if (place instanceof ApiError) return false
    this.homePlaces.push(place)
    return true
  }

  /** Answers whether the home let it in. */
  open(node: QuotaNode): boolean {
    if (node.isCut) return false
    const askedAt = this.now
    const place = this.home.admit(caller, this.now)
    if (place instanceof ApiError) return false
    place.leave(this.now)
    const quota = this.loans.promise(node.name, "run", caller, this.now)
    this.#send(this.#delay(node), () => {
      node.share.admitted(caller, quota, askedAt, this.now)
      const own = node.limits.admit(caller, this.now)
      node.share.settle(quota)
      if (!(own instanceof ApiError)) node.places.push(own)
    })
    return true
  }

  send(places: ReadonlyArray<SocketPlace>, bytes: number): boolean {
    const isLet = places.at(-1)?.takeFrame(bytes, this.now) === true
    if (isLet) this.let.push({ at: this.now, cost: bytes + FRAME_COST })
    return isLet
  }

  close(places: Array<SocketPlace>): void {
    places.pop()?.leave(this.now)
  }

  /** Blocks that are anywhere, as far as they let something through. */
  get blocks(): number {
    const borrowed = this.nodes.map(({ limits }) => Math.max(0, limits.blocksOf(caller.caller)))
    return Math.max(1, this.home.blocksOf(caller.caller)) + borrowed.reduce((sum, blocks) => sum + blocks, 0)
  }

  /** The most by which any span of time passes a bucket of so many blocks' rate. */
  excess(blocks: number): number {
    const perMilli = (QUOTA.perSecond * blocks) / BLOCKS / 1_000
    let most = 0
    // The highest rise of what was let through over what the rate allows, over all spans.
    let lowest = 0
    let level = 0
    let before = 0
    for (const { at, cost } of this.let) {
      level -= (at - before) * perMilli
      lowest = Math.min(lowest, level)
      level += cost
      most = Math.max(most, level - lowest)
      before = at
    }
    return most - QUOTA.burst
  }
}

/** Numbers from 0 up to 1, the same for the same seed. */
export const chances = (seed: number): (() => number) => {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 0x1_0000_0000
  }
}

/** No message is lost, and each takes a while. */
export const NEVER_LOST = () => 0.5
