/** The quotas of callers who are connected to several nodes: at home where somebody writes, borrowed by the others. */

import { Clock, Effect, Option, type Schema, type Scope } from "effect"
import { QuotaLoans } from "../../engine/cluster/QuotaLoans.ts"
import { BLOCKS, type QuotaHolder, type QuotaPromise } from "../../engine/cluster/QuotaPart.ts"
import { QuotaShare } from "../../engine/cluster/QuotaShare.ts"
import { HttpConventions } from "../http/HttpConventions.ts"
import { SocketLimits } from "../http/SocketLimits.ts"
import * as Worker from "../Worker.ts"
import { type Asking, QUOTA } from "./ForwardedRequest.ts"
import type { NodeCredential } from "./NodeCredential.ts"
import type { Nodes } from "./Nodes.ts"
import { decodeReply, decodeStatement, encodeReply, encodeStatement } from "./QuotaText.ts"
import { makeWriterInquiry } from "./WriterInquiry.ts"

/** How often a node says what changed, as long as it has anything. */
const STATE_INTERVAL = "1 second"

/** What a node has by itself of quotas that are at home at another one, in blocks. */
const NONE = 0

/** The home of the quotas, as the other nodes ask it. */
export interface QuotaHome {
  /** A caller was let connect to the node that asks. */
  readonly promise: (asking: Asking, holder: QuotaHolder) => QuotaPromise
  /** Answers a node that says what it has, text for text. */
  readonly hear: (text: string) => Effect.Effect<string, Schema.SchemaError>
}

/**
 * This process is the home from here on: its connections and those of the other nodes count together.
 *
 * @param isThere - whether a node of an address may still be there
 */
export const quotaHome = Effect.fnUntraced(function* (
  isThere: (node: string) => boolean
): Effect.fn.Return<QuotaHome, never, HttpConventions> {
  const { sockets } = yield* HttpConventions
  const clock = yield* Clock.Clock
  const now = () => clock.currentTimeMillisUnsafe()
  const loans = new QuotaLoans(sockets, isThere)
  sockets.shareWith({ elsewhere: (group, at) => loans.socketsOf(group, at), changed: () => undefined })
  return {
    promise: ({ node, run }, holder) => loans.promise(node, run, holder, now()),
    hear: (text) => Effect.map(decodeStatement(text), (statement) => encodeReply(loans.hear(statement, now())))
  }
})

/** Who was admitted elsewhere, and with what. */
interface Admitted {
  readonly holder: { readonly caller: string; readonly companyId?: string | undefined }
  readonly quota?: QuotaPromise
}

/** What a node that does not write lets its callers have. */
export interface BorrowedQuotas {
  /** Takes a place for a connection that was admitted. `askedAt` is when that was asked for, in milliseconds since 1970. */
  readonly admit: (admitted: Admitted, askedAt: number) => ReturnType<SocketLimits["admit"]>
}

/** Has all of a caller's quota, because the node that writes is of a release that lends nothing. */
const takeAll = (limits: SocketLimits, holder: QuotaHolder, now: number): void => {
  const lacking = BLOCKS - limits.blocksOf(holder.caller)
  if (lacking > 0) limits.regain(holder, lacking, Number.POSITIVE_INFINITY, now)
}

/**
 * Borrows from the node that writes, and says there what it has as long as the scope lives.
 *
 * @param asking - this node
 * @param isOn - whether anything is limited
 */
export const borrowedQuotas = Effect.fnUntraced(function* (
  nodes: Nodes["Service"],
  credential: NodeCredential,
  asking: Asking,
  isOn: boolean
): Effect.fn.Return<BorrowedQuotas, never, Scope.Scope> {
  const clock = yield* Clock.Clock
  const now = () => clock.currentTimeMillisUnsafe()
  const limits = new SocketLimits(isOn, NONE)
  const share = new QuotaShare(asking.node, asking.run, limits)
  if (!isOn) return { admit: ({ holder: { caller, companyId } }) => limits.admit({ caller, companyId }, now()) }
  limits.shareWith({ elsewhere: () => 0, changed: (...change) => share.changed(...change) })
  const ask = makeWriterInquiry(nodes, credential, QUOTA)
  const state = Effect.gen(function* () {
    const statement = share.statement(now())
    if (statement === undefined) return
    const reply = decodeReply(yield* ask(encodeStatement(statement)))
    share.answered(Option.getOrUndefined(reply), now())
  })
  yield* Worker.every(STATE_INTERVAL, "What this node borrowed", state)
  return {
    admit: ({ holder: { caller, companyId }, quota }, askedAt) => {
      const holder = { caller, companyId }
      const at = now()
      if (quota === undefined) {
        share.admittedUnlent()
        takeAll(limits, holder, at)
      } else share.admitted(holder, quota, askedAt, at)
      const place = limits.admit(holder, at)
      if (quota !== undefined) share.settle(quota)
      return place
    }
  }
})
