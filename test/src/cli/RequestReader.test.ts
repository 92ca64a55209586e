import { describe, expect, it } from "bun:test"
import { Effect } from "effect"
import { lineOf, type ReadRequests, RequestReader, type TailedRequest } from "../../../src/cli/RequestReader.ts"
import { itEffect } from "../../lib/Effects.ts"

const row = (id: number, more: Partial<TailedRequest> = {}): TailedRequest => ({
  id: String(id),
  request_id: `request-${id}`,
  at: "2026-01-02T03:04:05.000Z",
  user_id: null,
  address: "10.0.0.1",
  operation: "POST /v1/funds",
  path: "/v1/funds",
  status: 200,
  code: null,
  duration_ms: 1.25,
  ...more
})

/** A log in memory. */
const logOf = (ids: ReadonlyArray<number>) => {
  const log = new Set(ids)
  const read: ReadRequests<never> = (limit, before) =>
    Effect.sync(() =>
      [...log]
        .filter((id) => before === undefined || id < Number(before))
        .toSorted((one, other) => other - one)
        .slice(0, limit)
        .map((id) => row(id))
    )
  return { log, tail: new RequestReader(read) }
}

const idsOf = (rows: ReadonlyArray<TailedRequest>) => rows.map(({ id }) => Number(id))

const MANY = Array.from({ length: 250 }, (_, index) => 1_000 + index)

describe("RequestReader", () => {
  itEffect("gives the last ones, and then each new one once", () =>
    Effect.gen(function* () {
      const { log, tail } = logOf([1, 2, 3, 4])
      expect(idsOf(yield* tail.last(2))).toEqual([3, 4])
      expect(idsOf(yield* tail.next())).toEqual([])
      log.add(6)
      expect(idsOf(yield* tail.next())).toEqual([6])
      // One that was answered before others, and is logged after them.
      log.add(5)
      expect(idsOf(yield* tail.next())).toEqual([5])
      for (const id of MANY) log.add(id)
      expect(idsOf(yield* tail.next())).toEqual(MANY)
      expect(idsOf(yield* tail.next())).toEqual([])
    })
  )

  itEffect("reads as many pages as it is asked for, or none", () =>
    Effect.gen(function* () {
      expect(idsOf(yield* logOf(MANY).tail.last(220))).toEqual(MANY.slice(-220))
      expect(idsOf(yield* logOf([]).tail.last(5))).toEqual([])
      const { log, tail } = logOf([1, 2])
      expect(idsOf(yield* tail.last(0))).toEqual([])
      log.add(3)
      expect(idsOf(yield* tail.next())).toEqual([3])
    })
  )
})

describe("A request in a line", () => {
  it("tells when, how, how long, what, who and why", () => {
    expect(lineOf(row(1))).toBe(
      "2026-01-02T03:04:05.000Z  200     1.3 ms  POST /v1/funds                            10.0.0.1  request-1"
    )
    const refused = row(2, { user_id: "usr_1", operation: "unmatched", path: "/v1/x", status: 404, code: "not_found" })
    expect(lineOf(refused)).toBe(
      "2026-01-02T03:04:05.000Z  404     1.3 ms  ? /v1/x                                   usr_1  request-2  not_found"
    )
  })
})
