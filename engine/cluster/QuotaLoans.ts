import {
  BLOCKS,
  type HeldQuota,
  LEASE,
  type Loan,
  type QuotaHolder,
  type QuotaPart,
  type QuotaPromise,
  type QuotaReply,
  type QuotaStatement
} from "./QuotaPart.ts"

/** By what connections are counted: the company, or the address where nobody is signed in. */
export const groupOf = ({ caller, companyId }: QuotaHolder): string => companyId ?? caller

/** What a node has of one caller's quota, as far as its home knows. */
interface Lent {
  readonly holder: QuotaHolder
  sockets: number
  blocks: number
  /** Connections that were admitted and that the node has not mentioned yet. */
  promised: number
  /** It said that it has fewer blocks, while some may have been on their way with an admission. */
  isDoubtful: boolean
}

/** A node that borrows. */
interface Borrower {
  readonly node: string
  readonly run: string
  readonly held: Map<string, Lent>
  /** Of the last statement that was heard. */
  sequence: number
  heardAt: number
}

interface Promised {
  readonly borrower: Borrower
  readonly caller: string
  readonly until: number
}

const NOTHING: QuotaReply = { isUnknown: false, loans: [] }
const SAY_ALL: QuotaReply = { isUnknown: true, loans: [] }

/**
 * What one node, the home of all quotas, lends the others. It counts their connections, and lends each node that has some of a
 * caller's an equal number of the blocks of the caller's quota, at least one. One block stays at home. What is lent anew comes
 * out of what is at home: the others give back first, with their next statement. Times are milliseconds, of one clock.
 */
export class QuotaLoans {
  readonly #part: QuotaPart
  readonly #isThere: (node: string) => boolean
  readonly #borrowers = new Map<string, Borrower>()
  readonly #borrowersOf = new Map<string, Set<Borrower>>()
  /** By what connections count, those of other nodes. */
  readonly #sockets = new Map<string, number>()
  /** The earliest first. */
  readonly #promises = new Map<number, Promised>()
  #lastId = 0

  /**
   * @param part - what is at home
   * @param isThere - whether a node may still be there: what one held that is gone counts no longer
   */
  constructor(part: QuotaPart, isThere: (node: string) => boolean = () => true) {
    this.#part = part
    this.#isThere = isThere
  }

  /** Connections that other nodes have, or were told that they may have. */
  socketsOf(group: string, now: number): number {
    this.#forget(now)
    return this.#sockets.get(group) ?? 0
  }

  /** A connection was admitted for a node, which will mention it. */
  promise(node: string, run: string, holder: QuotaHolder, now: number): QuotaPromise {
    this.#forget(now)
    const borrower = this.#borrowerOf(node, run, now)
    const { caller } = holder
    const known = borrower.held.get(caller)
    const lent = known ?? this.#begin(borrower, holder)
    const id = (this.#lastId += 1)
    this.#promises.set(id, { borrower, caller, until: now + LEASE })
    lent.promised += 1
    this.#count(lent, 1)
    return { id, loan: lent.blocks > 0 ? null : (this.#settle(lent, now) ?? null) }
  }

  /** Hears what a node has, and answers what it is to have. */
  hear({ held, isWhole, node, run, sequence, settled }: QuotaStatement, now: number): QuotaReply {
    this.#forget(now)
    const known = this.#borrowers.get(node)
    // A node that was promised something and has said nothing is as good as unknown: it may have more.
    if ((known?.run !== run || known.sequence === 0) && !isWhole) return SAY_ALL
    const borrower = this.#borrowerOf(node, run, now)
    if (sequence <= borrower.sequence) return NOTHING
    borrower.sequence = sequence
    borrower.heardAt = now
    for (const id of settled) this.#keep(id, now)
    const stated = new Set(held.map(({ caller }) => caller))
    if (isWhole) {
      for (const lent of borrower.held.values()) {
        if (!stated.has(lent.holder.caller) && lent.promised === 0) this.#end(borrower, lent, now)
      }
    }
    for (const one of held) this.#take(borrower, one, now)
    const all = [...borrower.held.values()]
    // No admission is on its way any more, and the node says again only what changes.
    if (all.some(({ isDoubtful, promised }) => isDoubtful && promised === 0)) return SAY_ALL
    // A node that has no connection of a caller gives back by itself, or has not heard yet what it was promised.
    const used = all.filter(({ sockets }) => sockets > 0)
    return { isUnknown: false, loans: used.flatMap((lent) => this.#settle(lent, now) ?? []) }
  }

  /** The blocks that a node should have of a caller's quota. */
  #dueTo({ caller }: QuotaHolder): number {
    const borrowers = this.#borrowersOf.get(caller)?.size ?? 0
    const users = borrowers + (this.#part.has(caller) ? 1 : 0)
    return 1 + Math.max(0, Math.floor((BLOCKS - borrowers - 1) / users))
  }

  /** Lends what a node lacks and is at home, or says what it has too many; undefined where it has what it should have. */
  #settle(lent: Lent, now: number): Loan | undefined {
    const { holder } = lent
    const { caller } = holder
    const due = this.#dueTo(holder)
    if (due < lent.blocks) return { caller, blocks: due, tokens: 0 }
    // A node that has nothing borrows one block, whether or not it is there.
    const least = lent.blocks === 0 ? 1 : 0
    const blocks = Math.max(least, Math.min(due - lent.blocks, this.#part.blocksOf(caller) - 1))
    if (blocks <= 0) return undefined
    const tokens = this.#part.lend(holder, blocks, now)
    lent.blocks += blocks
    return { caller, blocks: lent.blocks, tokens }
  }

  /** Takes what a node says for true. */
  #take(borrower: Borrower, { blocks, caller, companyId, returned, sockets }: HeldQuota, now: number): void {
    const holder = { caller, companyId: companyId ?? undefined }
    const lent = borrower.held.get(caller) ?? this.#begin(borrower, holder)
    this.#count(lent, sockets - lent.sockets)
    lent.sockets = sockets
    const back = lent.blocks - blocks
    // What is on its way with an admission the node cannot know yet.
    if (back > 0 && lent.promised === 0) this.#part.regain(lent.holder, back, returned, now)
    if (back < 0) this.#part.lend(lent.holder, -back, now)
    lent.isDoubtful = back > 0 && lent.promised > 0
    if (!lent.isDoubtful) lent.blocks = blocks
    this.#endUnused(borrower, lent, now)
  }

  #begin(borrower: Borrower, holder: QuotaHolder): Lent {
    const lent: Lent = { holder, sockets: 0, blocks: 0, promised: 0, isDoubtful: false }
    const { caller } = holder
    borrower.held.set(caller, lent)
    const borrowers = this.#borrowersOf.get(caller) ?? new Set()
    this.#borrowersOf.set(caller, borrowers.add(borrower))
    return lent
  }

  #endUnused(borrower: Borrower, lent: Lent, now: number): void {
    if (lent.sockets === 0 && lent.promised === 0 && lent.blocks === 0) this.#end(borrower, lent, now)
  }

  /** The node has nothing of the caller's any more. What was in its blocks is lost. */
  #end(borrower: Borrower, lent: Lent, now: number): void {
    const { holder } = lent
    const { caller } = holder
    if (lent.blocks > 0) this.#part.regain(holder, lent.blocks, 0, now)
    this.#count(lent, -lent.sockets - lent.promised)
    borrower.held.delete(caller)
    const borrowers = this.#borrowersOf.get(caller)
    borrowers?.delete(borrower)
    if (borrowers?.size === 0) this.#borrowersOf.delete(caller)
  }

  #count({ holder }: Lent, change: number): void {
    if (change === 0) return
    const group = groupOf(holder)
    const sockets = (this.#sockets.get(group) ?? 0) + change
    if (sockets === 0) this.#sockets.delete(group)
    else this.#sockets.set(group, sockets)
  }

  /** A connection that was promised is counted by its node, or is none. */
  #keep(id: number, now: number): void {
    const promised = this.#promises.get(id)
    if (promised === undefined) return
    this.#promises.delete(id)
    const { borrower, caller } = promised
    const lent = borrower.held.get(caller)
    if (lent === undefined) return
    lent.promised -= 1
    this.#count(lent, -1)
    // A node that never learned of the admission has none of its blocks, either.
    if (now >= promised.until && lent.sockets === 0 && lent.promised === 0) this.#end(borrower, lent, now)
  }

  #borrowerOf(node: string, run: string, now: number): Borrower {
    const known = this.#borrowers.get(node)
    if (known?.run === run) return known
    if (known !== undefined) this.#drop(known, now)
    const made: Borrower = { node, run, held: new Map(), sequence: 0, heardAt: now }
    this.#borrowers.set(node, made)
    return made
  }

  #drop(borrower: Borrower, now: number): void {
    this.#borrowers.delete(borrower.node)
    for (const lent of borrower.held.values()) this.#end(borrower, lent, now)
  }

  /** Forgets nodes that are gone, and promises that no node mentioned. */
  #forget(now: number): void {
    for (const borrower of this.#borrowers.values()) {
      if (now - borrower.heardAt > LEASE || !this.#isThere(borrower.node)) this.#drop(borrower, now)
    }
    for (const [id, { until }] of this.#promises) {
      if (now < until) return
      this.#keep(id, now)
    }
  }
}
