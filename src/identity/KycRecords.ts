import { Context, Effect, Layer } from "effect"
import { Settings } from "../Config.ts"
import type { Unavailable } from "../database/DatabaseError.ts"

/** Whether somebody's KYC documents are there, as the context that keeps them says. */
export class KycRecords extends Context.Service<
  KycRecords,
  {
    /** Whether a user has submitted a KYC record. */
    readonly exists: (userId: string) => Effect.Effect<boolean, Unavailable>
    /** Whether an administrator has verified the user's KYC record. */
    readonly isVerified: (userId: string) => Effect.Effect<boolean, Unavailable>
  }
>()("emporion/identity/KycRecords") {
  /**
   * While no context keeps such records: the sandbox asks for none, so that an administrator's verification is enough
   * there, and in production nobody has one.
   */
  static readonly layer: Layer.Layer<KycRecords, never, Settings> = Layer.effect(
    this,
    Effect.map(Settings, ({ mode }) => {
      const inSandbox = () => Effect.succeed(mode === "sandbox")
      return KycRecords.of({ exists: inSandbox, isVerified: inSandbox })
    })
  )
}
