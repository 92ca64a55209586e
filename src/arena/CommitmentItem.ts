import { Exit, Result, Schema } from "effect"
import { type Amount, fromNumber, ZERO } from "../../engine/money/Amount.ts"
import { type ApiError, faulty } from "../api/ApiError.ts"
import * as Contract from "../api/Arena.ts"
import { CommitmentItem as Item } from "../api/rpc/FastLane.ts"
import * as ValidationErrors from "../http/ValidationErrors.ts"

/** A commitment as one item of a message asks for it. Amounts are in 10⁻⁶. */
export interface CommitmentItem {
  readonly orderId: string
  readonly proposedPrice: Amount
  readonly exitPrice: Amount
  readonly quantity: Amount
  readonly slippage: Amount
  readonly swapExecutor: string
  readonly botId: string | undefined
  /** The caller's own id of it. */
  readonly idempotencyId: string | undefined
}

/** Ids as they nearly always are. Others are for the contract to judge. */
const PLAIN_ID = /^[\x21-\x7e]{1,200}$/

const isPlainId = (value: unknown): value is string => typeof value === "string" && PLAIN_ID.test(value)

const isAbsent = (value: unknown): value is undefined => value === undefined

const amountOf = (value: unknown): Amount | undefined =>
  typeof value === "number" ? Result.getOrUndefined(fromNumber(value)) : undefined

const plain = (value: object): CommitmentItem | undefined => {
  const sent = value as Readonly<Record<keyof typeof Item.Type, unknown>>
  const { bot_id: botId, idempotency_id: idempotencyId, order_id: orderId, swap_executor: swapExecutor } = sent
  const slippage = isAbsent(sent.slippage_tolerance) ? ZERO : amountOf(sent.slippage_tolerance)
  const proposedPrice = amountOf(sent.proposed_entry_price)
  const exitPrice = amountOf(sent.expected_exit_price)
  const quantity = amountOf(sent.quantity)
  if (proposedPrice === undefined || exitPrice === undefined || quantity === undefined || slippage === undefined) {
    return undefined
  }
  if (!isPlainId(orderId) || !(isAbsent(botId) || isPlainId(botId))) return undefined
  if (!(isAbsent(idempotencyId) || isPlainId(idempotencyId))) return undefined
  if (!(isAbsent(swapExecutor) || isPlainId(swapExecutor))) return undefined
  return {
    orderId,
    proposedPrice,
    exitPrice,
    quantity,
    slippage,
    swapExecutor: swapExecutor ?? "",
    botId,
    idempotencyId
  }
}

const Sent = Schema.Struct({ ...Contract.CommitmentRequest.fields, idempotency_id: Item.fields.idempotency_id })

const decode = Schema.decodeUnknownExit(Sent)

/**
 * Reads what was sent at a place of the message. What is usual is read by hand, at an eighth of what the contract's way
 * costs; all else goes that way, which also says what is wrong.
 */
export const read = (value: unknown, place: () => string): CommitmentItem | ApiError => {
  const usual = typeof value === "object" && value !== null ? plain(value) : undefined
  if (usual !== undefined) return usual
  return Exit.match(decode(value), {
    onSuccess: (item) => ({
      orderId: item.order_id,
      proposedPrice: item.proposed_entry_price,
      exitPrice: item.expected_exit_price,
      quantity: item.quantity,
      slippage: item.slippage_tolerance ?? ZERO,
      swapExecutor: item.swap_executor ?? "",
      botId: item.bot_id,
      idempotencyId: item.idempotency_id
    }),
    onFailure: () => faulty(ValidationErrors.of(place(), Sent, value))
  })
}
