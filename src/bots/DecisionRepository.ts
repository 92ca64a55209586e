import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { DecisionCode } from "../../engine/bots/Evaluation.ts"
import { type Amount, fromUnits } from "../../engine/money/Amount.ts"
import type { Page } from "../api/Paging.ts"
import { type Unavailable, unavailableOrDie } from "../database/DatabaseError.ts"
import * as Keyset from "../database/Keyset.ts"

/** A decision as it is shown. */
export interface DecisionView {
  readonly decisionId: string
  readonly orderId: string
  /** Milliseconds since 1970. */
  readonly at: number
  readonly dryRun: boolean
  readonly code: DecisionCode
  /** What it was decided on, and what was decided, as JSON. */
  readonly input: string
  readonly decision: string
  /** What it took of its company's credits. */
  readonly credits: Amount
}

export interface DecisionPage {
  readonly decisions: ReadonlyArray<DecisionView>
  readonly total: number
  /** The cursor of the next page, where there is one. */
  readonly next: string | undefined
}

interface Row {
  readonly id: string
  readonly order_id: string
  readonly at: bigint
  readonly dry_run: boolean
  readonly code: DecisionCode
  readonly input: string
  readonly decision: string
  readonly credits: bigint
}

const toDecision = (row: Row): DecisionView => ({
  decisionId: row.id,
  orderId: row.order_id,
  at: Number(row.at),
  dryRun: row.dry_run,
  code: row.code,
  input: row.input,
  decision: row.decision,
  credits: fromUnits(row.credits)
})

/** Reads what bots decided. It is written by their events alone. */
export class DecisionRepository extends Context.Service<
  DecisionRepository,
  {
    /** Whose bot it is; undefined where there is none. */
    readonly ownerOf: (botId: string) => Effect.Effect<string | undefined, Unavailable>
    /** Newest first. */
    readonly list: (botId: string, page: Page) => Effect.Effect<DecisionPage, Unavailable | Keyset.UnknownCursor>
  }
>()("emporion/bots/DecisionRepository") {
  static readonly layer = Layer.effect(
    this,
    Effect.map(SqlClient, (sql) =>
      DecisionRepository.of({
        ownerOf: (botId) =>
          sql<{ readonly company_id: string }>`SELECT company_id FROM bots WHERE id = ${botId}`.pipe(
            unavailableOrDie,
            Effect.map(([row]) => row?.company_id)
          ),
        list: Effect.fnUntraced(function* (botId, page) {
          const listed: Keyset.Listed<Row> = {
            select: sql`
              SELECT id, order_id, at, dry_run, code, input, decision, free + paid AS credits FROM bot_decisions`,
            from: sql`bot_decisions`,
            scope: sql`bot_id = ${botId}`,
            order: [{ column: "event_seq", descending: true }],
            id: "id",
            idOf: ({ id }) => id
          }
          const { next, rows, total } = yield* Keyset.page(sql, listed, page)
          return { decisions: rows.map(toDecision), total, next }
        }, unavailableOrDie)
      })
    )
  )
}
