import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { type Unavailable, unavailableOrDie } from "../database/DatabaseError.ts"

/** How far a sandbox's clock is set forward. */
export interface ClockSetting {
  /** How far it is ahead of the machine's, in milliseconds. */
  readonly lead: number
  /** Until when it is to go on, in milliseconds since 1970; null where it is there. */
  readonly until: number | null
}

/** The setting of a sandbox's clock. */
export class SandboxClockRepository extends Context.Service<
  SandboxClockRepository,
  {
    readonly find: Effect.Effect<ClockSetting, Unavailable>
    /** Lets it go on until a time. False where it does so already. */
    readonly goOn: (until: number) => Effect.Effect<boolean, Unavailable>
    /** Keeps how far it came. */
    readonly reach: (lead: number) => Effect.Effect<void, Unavailable>
    /** It is there, or is to go no further. False where it goes nowhere. */
    readonly arrive: Effect.Effect<boolean, Unavailable>
  }
>()("emporion/sandbox/SandboxClockRepository") {
  static readonly layer: Layer.Layer<SandboxClockRepository, never, SqlClient> = Layer.effect(
    this,
    Effect.map(SqlClient, (sql) =>
      SandboxClockRepository.of({
        find: sql<{ readonly lead: bigint; readonly until: bigint | null }>`SELECT lead, until FROM sandbox_clock`.pipe(
          Effect.map(([row]) => ({
            lead: Number(row?.lead ?? 0n),
            until: row === undefined || row.until === null ? null : Number(row.until)
          })),
          unavailableOrDie
        ),
        goOn: (until) =>
          sql`UPDATE sandbox_clock SET until = ${BigInt(until)} WHERE until IS NULL RETURNING lead`.pipe(
            Effect.map((rows) => rows.length > 0),
            unavailableOrDie
          ),
        reach: (lead) =>
          sql`UPDATE sandbox_clock SET lead = ${BigInt(lead)} WHERE lead < ${BigInt(lead)}`.pipe(
            Effect.asVoid,
            unavailableOrDie
          ),
        arrive: sql`UPDATE sandbox_clock SET until = NULL WHERE until IS NOT NULL RETURNING lead`.pipe(
          Effect.map((rows) => rows.length > 0),
          unavailableOrDie
        )
      })
    )
  )
}
