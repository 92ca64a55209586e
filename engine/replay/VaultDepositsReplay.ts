import { Result } from "effect"
import { decideVaultDeposits, VAULT_DEPOSITS_STREAM, type VaultDepositsSet } from "../arena/VaultDeposits.ts"
import type { Command } from "../ledger/Command.ts"
import type { FamilyReplay } from "./FamilyReplay.ts"
import type { StoredEvent } from "./StoredEvent.ts"

/** Closes and opens the vault again, in the ledger alone. */
export class VaultDepositsReplay implements FamilyReplay<VaultDepositsSet> {
  decide({ at, closed }: VaultDepositsSet, { stream }: StoredEvent): Result.Result<ReadonlyArray<Command>, string> {
    return stream === VAULT_DEPOSITS_STREAM
      ? Result.succeed(decideVaultDeposits(closed, at).commands)
      : Result.fail(`belongs in the stream ${VAULT_DEPOSITS_STREAM} and stands in another`)
  }

  /** Nothing of its own. */
  evolve(): void {}
}
