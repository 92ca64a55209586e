import {
  LAPSE,
  type Loan,
  type QuotaHolder,
  type QuotaPart,
  type QuotaPromise,
  type QuotaReply,
  type QuotaStatement
} from "./QuotaPart.ts"

/** How long a node keeps blocks of a caller who has no connection to it any more, in milliseconds. */
export const UNUSED = 2_000

/** What this node has of one caller's quota. */
interface Held {
  holder: QuotaHolder
  sockets: number
  /** When the last connection ended. */
  emptySince: number
  /** What was in the blocks that are given back. */
  returned: number
  /** Another one with each change. */
  revision: number
}

/** A statement that has no answer yet. */
interface Sent {
  readonly at: number
  readonly settled: number
  /** By caller: what was said of it. */
  readonly said: ReadonlyMap<string, { readonly revision: number; readonly returned: number }>
}

/**
 * What a node borrowed of quotas that are at home at another one, and what it says of it. It says one thing after another: a
 * statement, then what became of that. Times are milliseconds, of one clock.
 */
export class QuotaShare {
  readonly #node: string
  readonly #run: string
  readonly #part: QuotaPart
  readonly #held = new Map<string, Held>()
  readonly #changed = new Set<string>()
  #settled: Array<number> = []
  #isWhole = true
  #sequence = 0
  #sent: Sent | undefined
  /** When the last statement was made that was heard; undefined where no home ever lent anything. */
  #heardAt: number | undefined

  /**
   * @param node - its address
   * @param run - another text each time that it starts
   * @param part - what is here
   */
  constructor(node: string, run: string, part: QuotaPart) {
    this.#node = node
    this.#run = run
    this.#part = part
  }

  /** A caller has one connection more here, or one less. */
  changed(holder: QuotaHolder, change: 1 | -1, now: number): void {
    const held = this.#heldOf(holder, now)
    held.holder = holder
    held.sockets += change
    if (held.sockets === 0) held.emptySince = now
    this.#change(held)
  }

  /** A connection was admitted: takes what was lent with it. `askedAt` is when that was asked for. */
  admitted(holder: QuotaHolder, { loan }: QuotaPromise, askedAt: number, now: number): void {
    if (this.#held.size === 0) this.#heardAt = askedAt
    this.#change(this.#heldOf(holder, now))
    if (loan !== null) this.#borrow(holder, loan, now)
  }

  /** A connection was admitted where nothing is lent: nobody counts on what is here, until a home answers again. */
  admittedUnlent(): void {
    this.#heardAt = undefined
  }

  /** A connection that was admitted is counted here from now on, or is none. */
  settle({ id }: QuotaPromise): void {
    this.#settled.push(id)
  }

  /** What is to be said; undefined where there is nothing to say, and nothing was borrowed. */
  statement(now: number): QuotaStatement | undefined {
    if (this.#held.size === 0 && this.#settled.length === 0) return undefined
    this.#lapse(now)
    this.#giveBack(now)
    const isWhole = this.#isWhole
    if (isWhole) for (const caller of this.#held.keys()) this.#changed.add(caller)
    const said = [...this.#changed].flatMap((caller) => this.#held.get(caller) ?? [])
    this.#sent = {
      at: now,
      settled: this.#settled.length,
      said: new Map(said.map(({ holder, returned, revision }) => [holder.caller, { revision, returned }]))
    }
    this.#sequence += 1
    return {
      node: this.#node,
      run: this.#run,
      sequence: this.#sequence,
      isWhole,
      settled: [...this.#settled],
      held: said.map(({ holder: { caller, companyId }, returned, sockets }) => ({
        caller,
        companyId: companyId ?? null,
        sockets,
        blocks: Math.max(0, this.#part.blocksOf(caller)),
        returned
      }))
    }
  }

  /** What the home answered the last statement; undefined where it gave no answer: nobody knows what it heard. */
  answered(reply: QuotaReply | undefined, now: number): void {
    const sent = this.#sent
    this.#sent = undefined
    if (sent === undefined) return
    if (reply === undefined || reply.isUnknown) {
      this.#isWhole = true
      // Perhaps the home has what was in them. Nothing may come back twice.
      for (const [caller, { returned }] of sent.said) this.#forgo(caller, returned)
      return
    }
    this.#heardAt = sent.at
    this.#isWhole = false
    this.#settled = this.#settled.slice(sent.settled)
    for (const [caller, { returned, revision }] of sent.said) this.#confirm(caller, returned, revision)
    for (const loan of reply.loans) this.#follow(loan, now)
  }

  #confirm(caller: string, returned: number, revision: number): void {
    this.#forgo(caller, returned)
    const held = this.#held.get(caller)
    if (held?.revision !== revision) return
    this.#changed.delete(caller)
    if (held.sockets === 0 && this.#part.blocksOf(caller) <= 0) this.#held.delete(caller)
  }

  #forgo(caller: string, returned: number): void {
    const held = this.#held.get(caller)
    if (held !== undefined) held.returned -= returned
  }

  /** Has what it is to have. What it has too many it gives back with the next statement. */
  #follow(loan: Loan, now: number): void {
    const { blocks, caller } = loan
    const held = this.#held.get(caller)
    if (held === undefined) {
      // The home believes that something of it is here.
      this.#change(this.#heldOf({ caller, companyId: undefined }, now))
      return
    }
    const surplus = this.#part.blocksOf(caller) - blocks
    if (surplus > 0) this.#return(held, surplus, now)
    else this.#borrow(held.holder, loan, now)
  }

  #borrow(holder: QuotaHolder, { blocks, tokens }: Loan, now: number): void {
    const more = blocks - this.#part.blocksOf(holder.caller)
    if (more > 0) this.#part.regain(holder, more, tokens, now)
  }

  #return(held: Held, blocks: number, now: number): void {
    held.returned += this.#part.lend(held.holder, blocks, now)
    this.#change(held)
  }

  /** The home no longer counts on what this node had, and may have lent it to others. One block stays. */
  #lapse(now: number): void {
    if (this.#heardAt === undefined || now - this.#heardAt < LAPSE) return
    this.#isWhole = true
    for (const { holder } of this.#held.values()) {
      const blocks = this.#part.blocksOf(holder.caller)
      if (blocks > 1) this.#part.lend(holder, blocks - 1, now)
    }
  }

  #giveBack(now: number): void {
    for (const held of this.#held.values()) {
      const blocks = this.#part.blocksOf(held.holder.caller)
      if (held.sockets === 0 && blocks > 0 && now - held.emptySince >= UNUSED) this.#return(held, blocks, now)
    }
  }

  #heldOf(holder: QuotaHolder, now: number): Held {
    const known = this.#held.get(holder.caller)
    if (known !== undefined) return known
    const made: Held = { holder, sockets: 0, emptySince: now, returned: 0, revision: 0 }
    this.#held.set(holder.caller, made)
    return made
  }

  #change(held: Held): void {
    held.revision += 1
    this.#changed.add(held.holder.caller)
  }
}
