import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { AccountId } from "../../engine/ledger/Account.ts"
import { arenaProjection } from "../../src/arena/ArenaProjection.ts"
import { LockedCommitmentsRepository } from "../../src/arena/LockedCommitmentsRepository.ts"
import { machineTraderProjection } from "../../src/arena/MachineTraderProjection.ts"
import { MachineTraderRepository } from "../../src/arena/MachineTraderRepository.ts"
import { JournalRepository } from "../../src/database/JournalRepository.ts"
import { Projection } from "../../src/database/Projection.ts"
import { RowWriter } from "../../src/database/RowWriter.ts"
import { UnitOfWork } from "../../src/database/UnitOfWork.ts"
import { WriteSession } from "../../src/database/WriteSession.ts"
import { Funds } from "../../src/funds/Funds.ts"
import { fundsProjection } from "../../src/funds/FundsProjection.ts"
import { FundsRepository } from "../../src/funds/FundsRepository.ts"
import { LedgerAudit } from "../../src/funds/LedgerAudit.ts"
import { LedgerAuditRepository } from "../../src/funds/LedgerAuditRepository.ts"
import { Statements } from "../../src/funds/Statements.ts"
import { Users } from "../../src/identity/users/Users.ts"
import * as TestIdentity from "./TestIdentity.ts"

const projection = Layer.effect(
  Projection,
  Effect.zipWith(
    Effect.all([arenaProjection, Effect.succeed(machineTraderProjection), fundsProjection]),
    RowWriter,
    (parts, rows) => {
      const { answers, begin, projected } = Projection.composed(parts, rows)
      return {
        begin,
        projected,
        answers: {
          follows: answers.follows,
          of: (recorded, accounts) =>
            recorded.event._tag === "FundsMinted"
              ? answers.of(recorded, accounts)
              : { status: 200, body: recorded.event._tag }
        }
      }
    }
  )
)

/** Funds, the ledger's audit, the journal and the identity context on a fresh database. */
export const layerOf = (variables: Readonly<Record<string, string>> = {}) =>
  Layer.mergeAll(Statements.layer, LedgerAudit.layer).pipe(
    Layer.provideMerge(Funds.layer),
    Layer.provideMerge(UnitOfWork.layer),
    Layer.provide(WriteSession.layer),
    Layer.provideMerge(projection),
    Layer.provideMerge(
      Layer.mergeAll(
        JournalRepository.layer,
        RowWriter.layer,
        LockedCommitmentsRepository.layer,
        MachineTraderRepository.layer,
        FundsRepository.layer,
        LedgerAuditRepository.layer
      )
    ),
    Layer.provideMerge(TestIdentity.layerOf(variables))
  )

let houses = 0

/** A user of its own company. */
export const newUser = Effect.gen(function* () {
  const users = yield* Users
  houses += 1
  return yield* users.createHouse({ companyName: "Acme", label: `acme-${houses}`, kind: "house" })
})

/** An account's balance and held part in 10⁻⁶. */
export const accountOf = Effect.fnUntraced(function* (id: AccountId) {
  const sql = yield* SqlClient
  const rows = yield* sql<{ readonly balance: string; readonly held: string }>`
    SELECT balance::text AS balance, held::text AS held FROM ledger_accounts WHERE id = ${id}`
  return { balance: BigInt(rows[0]?.balance ?? 0), held: BigInt(rows[0]?.held ?? 0) }
})
