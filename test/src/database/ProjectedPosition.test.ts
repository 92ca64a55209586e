import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { isPassing } from "../../../src/database/DatabaseError.ts"
import { TablePosition } from "../../../src/database/ProjectedPosition.ts"
import { itEffect } from "../../lib/Effects.ts"

describe("TablePosition", () => {
  itEffect("fails a read of tables that do not follow as one without a connection, which passes", () =>
    Effect.gen(function* () {
      const position = TablePosition.make()
      position.tell(1)
      position.break("The tables do not take event 1")
      expect(isPassing(yield* Effect.flip(position.reached))).toBe(true)
    })
  )
})
