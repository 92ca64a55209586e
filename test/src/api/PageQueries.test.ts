import { describe, expect } from "bun:test"
import { Context, Effect, Layer } from "effect"
import type { FieldError } from "../../../src/api/FieldError.ts"
import { withLayer } from "../../lib/Effects.ts"
import { type Fixture, makeFixture, tokenOf } from "../../lib/OperationFixture.ts"
import { addressOf } from "../../lib/OperationRequest.ts"
import { OPERATION_ROWS, requestOf } from "../../lib/OperationRows.ts"
import { DECLARED_QUERIES, OPERATIONS } from "../../lib/Operations.ts"
import { ask } from "../../lib/Requests.ts"

class TheFixture extends Context.Service<TheFixture, Fixture>()("test/PageQueries/Fixture") {}

const it = withLayer(Layer.effect(TheFixture, makeFixture()))

/** No whole number in plain digits, as it stands in a URL. */
const NO_NUMBERS = "-1 1.5 1e1 +5 0x5 ten %205 5%20 %EF%BC%95 1234567890 NaN 5,5 %00".split(" ")

/** What a page may not be asked for. */
const WRONG: Readonly<Record<string, ReadonlyArray<string>>> = {
  limit: [...NO_NUMBERS, "0", "00", "101"],
  offset: [...NO_NUMBERS, "1000001"],
  after: ["a".repeat(201), ..."%00 a%00 no_such_row %F0%9F%90%BB -1 1e400 99999999999999999999999 %27 %25".split(" ")]
}

const paged = OPERATIONS.filter(({ name }) => DECLARED_QUERIES.get(name)?.query.includes("limit"))

describe("A page that cannot be is refused by", () => {
  for (const operation of paged) {
    const { query = [] } = DECLARED_QUERIES.get(operation.name) ?? {}
    it(operation.name, () =>
      Effect.gen(function* () {
        const fixture = yield* TheFixture
        const row = OPERATION_ROWS[operation.name]
        const { query: usual = {}, ...sent } = yield* requestOf(row, fixture, 9_200)
        const who = operation.access?._tag === "Admin" || row?.as === "admin" ? fixture.admin : fixture.mine.userId
        const headers = { authorization: `Bearer ${yield* tokenOf(fixture, who)}` }
        const taken: Array<string> = []
        for (const name of Object.keys(WRONG).filter((one) => query.includes(one))) {
          const others = Object.fromEntries(Object.entries(usual).filter(([one]) => one !== name))
          const path = addressOf(operation.path, { ...sent, query: others })
          for (const value of [...(WRONG[name] ?? []), `1&${name}=2`]) {
            const { json, status } = yield* Effect.promise(() =>
              ask(fixture.server.url, `${path}&${name}=${value}`, { headers })
            )
            const { errors = [] } = json as { readonly errors?: ReadonlyArray<FieldError> }
            const told = `${status} ${errors.map(({ field }) => field).join()}`
            if (told !== `400 query.${name}`) taken.push(`${name}=${value}: ${told}`)
          }
        }
        expect(taken).toEqual([])
      })
    )
  }
})
