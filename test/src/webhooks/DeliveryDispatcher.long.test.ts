import { describe, it } from "bun:test"
import { meetsTheTable } from "../../lib/DeliverySchedules.ts"

const SCHEDULES = 1_000

describe("DeliveryDispatcher", () => {
  it(`keeps each delivery's own due time in ${SCHEDULES} schedules`, () => meetsTheTable(SCHEDULES), 600_000)
})
