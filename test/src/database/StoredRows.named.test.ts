import { describe, expect } from "bun:test"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Batch } from "../../../engine/actor/Journal.ts"
import { connectionName, NAMED, requestName } from "../../../engine/cluster/RequestName.ts"
import { fromUnits } from "../../../engine/money/Amount.ts"
import type { PlatformEvent } from "../../../engine/replay/PlatformEvent.ts"
import { journalAfter, journalEnd } from "../../../src/database/JournalStatements.ts"
import { KeyIndex } from "../../../src/database/StoredKeyIndex.ts"
import { UnitOfWork } from "../../../src/database/UnitOfWork.ts"
import { IdempotencyRepository } from "../../../src/http/IdempotencyRepository.ts"
import { withLayer } from "../../lib/Effects.ts"
import { writingUnit } from "../../lib/WritingUnit.ts"

const { layer, projected, projection } = writingUnit()

const itWrites = withLayer(IdempotencyRepository.layer.pipe(Layer.provide(projection), Layer.provideMerge(layer)))

/** An event in a stream of its own, under the name of a request. */
const named = (stream: string, key: string): Batch<PlatformEvent> => ({
  stream: `named/${stream}`,
  version: 0,
  entries: [
    {
      commands: [],
      event: {
        _tag: "FundsMinted",
        at: 1,
        fundId: stream,
        owner: "someone",
        asset: "USD",
        amount: fromUnits(1n),
        externalReference: null
      },
      idempotency: { key, fingerprint: NAMED }
    }
  ]
})

describe("What another node names", () => {
  itWrites("stands in the journal alone, and is not written again where it is sent again", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { sentAgain } = yield* KeyIndex
      const { append } = yield* UnitOfWork
      const { seq: behind } = yield* journalEnd(sql)
      const nameOf = (number: number) => requestName({ connection: connectionName("node", number), number, behind })
      const [name, other] = [nameOf(1), nameOf(2)]
      const [outcome] = yield* append(named("one", name))
      const seq = outcome?._tag === "Accepted" ? outcome.recorded.seq : 0
      while (!projected.includes(seq)) yield* Effect.yieldNow
      for (const one of [name, other]) sentAgain.add(one)
      const again = yield* Effect.flip(append(named("two", name)))
      expect(again).toMatchObject({ _tag: "JournalUnavailable", isUnwritten: true })
      expect((yield* append(named("three", other))).map(({ _tag }) => _tag)).toEqual(["Accepted"])
      const { findNamed } = yield* IdempotencyRepository
      expect(yield* findNamed(name)).toEqual({ fingerprint: NAMED, status: 200, body: String(seq) })
      expect(yield* findNamed(nameOf(3))).toBeUndefined()
      expect((yield* journalAfter(sql)(behind)).map(({ answers }) => answers)).toEqual([null, null])
      expect([...(yield* sql`SELECT key FROM idempotency_keys WHERE key LIKE '@%'`)]).toEqual([])
    })
  )
})
