/** Quotas that several nodes share: the blocks of each, and what nodes tell each other of them. */

/** The equal parts in which a caller's quota is lent. */
export const BLOCKS = 8

/** The home lends a node for so long from its last statement on, in milliseconds. */
export const LEASE = 15_000

/**
 * A node that was not answered for so long keeps one block, in milliseconds. It looks every few seconds at least, and has to
 * know of the end of {@link LEASE} before its home does.
 */
export const LAPSE = 10_000

/** For whom a connection counts. */
export interface QuotaHolder {
  /** An address, a user or a client, as requests are counted. */
  readonly caller: string
  /** Undefined if anonymous. */
  readonly companyId: string | undefined
}

/** The part of each caller's quota that is at one node. Times are milliseconds. */
export interface QuotaPart {
  /** Whether a caller has a connection here. */
  readonly has: (caller: string) => boolean
  /** Blocks that are here. At the home of the quota fewer than one where the nodes have more than there are. */
  readonly blocksOf: (caller: string) => number
  /** Takes so many blocks away, and their part of what they hold, which it answers. */
  readonly lend: (holder: QuotaHolder, blocks: number, now: number) => number
  /** Has so many blocks more, and so much in them. */
  readonly regain: (holder: QuotaHolder, blocks: number, tokens: number, now: number) => void
}

/** What a node has of a caller's quota. */
export interface HeldQuota {
  readonly caller: string
  readonly companyId: string | null
  /** Open connections. */
  readonly sockets: number
  readonly blocks: number
  /** What was in blocks that it gave back since it was last heard. */
  readonly returned: number
}

/** What a node says: all that it has, or what changed. It says one thing after another. */
export interface QuotaStatement {
  /** Its address. */
  readonly node: string
  /** Another one each time that the node starts. */
  readonly run: string
  /** Higher than that of the statement before. */
  readonly sequence: number
  readonly isWhole: boolean
  /** Admissions whose connections count among `held` from here on, where they were opened. */
  readonly settled: ReadonlyArray<number>
  readonly held: ReadonlyArray<HeldQuota>
}

/** What a node is to have from here on. */
export interface Loan {
  readonly caller: string
  readonly blocks: number
  /** What is in those that it did not have. */
  readonly tokens: number
}

/** What the home answers a statement. */
export interface QuotaReply {
  /** It knows nothing of the node, which has to say all. */
  readonly isUnknown: boolean
  readonly loans: ReadonlyArray<Loan>
}

/** What a connection that was admitted for another node has there. */
export interface QuotaPromise {
  /** By which the node says that the connection counts among what it holds. */
  readonly id: number
  /** Null where the node has some of the caller's quota already. */
  readonly loan: Loan | null
}
