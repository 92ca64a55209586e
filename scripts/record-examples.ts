/** Records data/api-examples.json, the examples of the OpenAPI document: `bun scripts/record-examples.ts`. */
import { Effect } from "effect"
import { join } from "node:path"
import { sendOperation } from "../test/lib/OperationRequest.ts"
import { OPERATION_ROWS, requestOf } from "../test/lib/OperationRows.ts"
import { type DeclaredOperation, OPERATIONS } from "../test/lib/Operations.ts"
import { makeFixture, type Fixture, tokenOf } from "../test/lib/OperationFixture.ts"

const FILE = join(import.meta.dir, "..", "data", "api-examples.json")

/** Longest example of an answer, in characters. */
const MAX_LENGTH = 3_000

/** Rows shown of a list. */
const MAX_ROWS = 1

/** What rows send so that no two bodies are alike. */
const TURN = "turn"

const SECRET = /(token|secret|password|ticket)$|^(code|x|n)$/i

/** Without what must not be shown, and with lists cut short. */
const shown = (value: unknown, name = ""): unknown => {
  if (Array.isArray(value)) return value.slice(0, MAX_ROWS).map((inner: unknown) => shown(inner))
  if (typeof value === "object" && value !== null) {
    const told = Object.entries(value).filter(([key]) => key !== TURN)
    return Object.fromEntries(told.map(([key, inner]) => [key, shown(inner, key)]))
  }
  return typeof value === "string" && value.length > 12 && SECRET.test(name) ? "example-0123456789abcdefghijk" : value
}

const record = Effect.fnUntraced(function* (fixture: Fixture, operation: DeclaredOperation) {
  const row = OPERATION_ROWS[operation.name]
  if (row === undefined || row.ends === true || (row.status ?? 200) !== 200) return undefined
  const sent = yield* requestOf(row, fixture, 1)
  const isAdmin = operation.access?._tag === "Admin" || row.as === "admin"
  const token =
    operation.access?._tag === "Open"
      ? undefined
      : yield* tokenOf(fixture, isAdmin ? fixture.admin : fixture.mine.userId)
  const { json, status } = yield* sendOperation(fixture, operation, sent, token)
  const response = status === 200 ? shown(json) : undefined
  const isShort = response !== undefined && JSON.stringify(response).length <= MAX_LENGTH
  return {
    ...(sent.body === undefined || sent.form === true ? {} : { request: shown(sent.body) }),
    ...(isShort ? { response } : {})
  }
})

const program = Effect.gen(function* () {
  const fixture = yield* makeFixture()
  const examples: Record<string, unknown> = {}
  for (const operation of OPERATIONS) {
    const example = yield* Effect.catchCause(record(fixture, operation), () =>
      Effect.as(Effect.logWarning(`no example of ${operation.name}`), undefined)
    )
    if (example !== undefined && Object.keys(example).length > 0) examples[operation.name] = example
  }
  return examples
})

const examples = await Effect.runPromise(Effect.scoped(program))
await Bun.write(FILE, `${JSON.stringify(examples, undefined, 2)}\n`)
console.log(`${Object.keys(examples).length} operations`)
process.exit(0)
