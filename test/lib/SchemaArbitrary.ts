import fc from "fast-check"

/** A JSON Schema, in the parts that the platform's document uses. */
export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string
  readonly enum?: ReadonlyArray<unknown>
  readonly anyOf?: ReadonlyArray<JsonSchema>
  readonly allOf?: ReadonlyArray<JsonSchema>
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: ReadonlyArray<string>
  readonly additionalProperties?: boolean | JsonSchema
  readonly items?: JsonSchema
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly minimum?: number
  readonly maximum?: number
}

export type Schemas = Readonly<Record<string, JsonSchema>>

const REF = "#/components/schemas/"

/** A schema with its references and its conditions in one. */
export const resolved = (schemas: Schemas, schema: JsonSchema): JsonSchema => {
  const target = schema.$ref === undefined ? schema : (schemas[schema.$ref.slice(REF.length)] ?? {})
  const { allOf = [], ...own } = target
  return Object.assign({}, own, ...allOf.map((one) => resolved(schemas, one))) as JsonSchema
}

/** Texts of the kinds that fields ask for. */
const SAMPLES = [
  "x",
  "1",
  "0.5",
  "USD",
  "be",
  "fx",
  "fnd_1",
  "https://example.com/agent",
  "/docs",
  "someone@example.com",
  "a long enough password",
  `0x${"7".repeat(40)}`,
  "2026-01-31T12:00:00.000Z",
  "é 💥 字"
]

/** Texts as long as a field may be, in characters of one byte and of four. */
const atTheBound = (maxLength: number): ReadonlyArray<string> =>
  maxLength > 20_000 ? [] : ["x".repeat(maxLength), "9".repeat(maxLength), "💥".repeat(maxLength / 2)]

const textOf = ({ maxLength = 40, minLength = 0, pattern }: JsonSchema): fc.Arbitrary<string> => {
  const fits = (text: string): boolean => text.length >= minLength && text.length <= maxLength
  const shape = pattern === undefined ? undefined : new RegExp(pattern, "u")
  const known = [...SAMPLES, ...atTheBound(maxLength)].filter((sample) => fits(sample) && (shape?.test(sample) ?? true))
  const free = fc
    .string({ unit: "grapheme", minLength, maxLength: Math.min(maxLength, minLength + 40) })
    .filter((text) => fits(text) && (shape?.test(text) ?? true))
  if (known.length === 0) return shape === undefined ? free : fc.constant("x".repeat(Math.max(1, minLength)))
  return shape === undefined ? fc.oneof(fc.constantFrom(...known), free) : fc.constantFrom(...known)
}

const SECRET = /(password|secret|token|code|assertion|verifier)$/

/** A secret is like nothing that another field has, which a log may show. */
const secret = fc.uuid().map((id) => `secret ${id}`)

/** The most and the least that columns, cents, units and doubles hold, and their neighbours. */
const BOUNDS = [0, 1, 32_767, 2 ** 31 - 1, 2 ** 31, 2 ** 53 - 1, 92_233_720_368.54776, 9_223_372_036_854.775, 1e12]

const numberOf = ({ maximum = Number.POSITIVE_INFINITY, minimum = 0, type }: JsonSchema): fc.Arbitrary<number> => {
  const bounds = [...BOUNDS, maximum, minimum].filter(
    (bound) => bound >= minimum && bound <= maximum && Number.isFinite(bound)
  )
  if (type === "integer") {
    return fc.oneof(
      { weight: 3, arbitrary: fc.integer({ min: 0, max: 1_000 }) },
      { weight: 1, arbitrary: fc.constantFrom(...bounds.filter(Number.isSafeInteger)) }
    )
  }
  return fc.oneof(
    fc.integer({ min: 0, max: 10_000 }),
    fc.integer({ min: 1, max: 9_999_999 }).map((units) => units / 1_000_000),
    fc.constantFrom(...bounds, 0.000_001, 0.000_000_1, 0.01, 0.005)
  )
}

/** Values that a schema takes, or nearly: rules that it does not say may still refuse them. */
export const valueOf = (schemas: Schemas, given: JsonSchema): fc.Arbitrary<unknown> => {
  const schema = resolved(schemas, given)
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map((member) => valueOf(schemas, member)))
  switch (schema.type) {
    case "string":
      return textOf(schema)
    case "number":
    case "integer":
      return numberOf(schema)
    case "boolean":
      return fc.boolean()
    case "null":
      return fc.constant(null)
    case "array":
      return fc.array(valueOf(schemas, schema.items ?? {}), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 3, 3)
      })
    case "object": {
      const fields = Object.entries(schema.properties ?? {})
      const values = Object.fromEntries(
        fields.map(([name, field]) => [name, SECRET.test(name) ? secret : valueOf(schemas, field)])
      )
      return fc.record(values, { requiredKeys: (schema.required ?? []).filter((name) => name in values) })
    }
    default:
      return fc.jsonValue({ maxDepth: 2 })
  }
}

const nested = (depth: number): unknown => {
  let value: unknown = []
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { a: value }
  return value
}

/** Values that hardly any field wants. */
const hostile: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    -1,
    -0,
    1e300,
    Number.MAX_SAFE_INTEGER,
    8_000_000_000.000_001,
    0.123_456_7,
    "",
    " ",
    "NaN",
    "-1",
    "1e300",
    "9".repeat(400),
    "\u0000",
    "\ud800",
    "\u202e\ufeff",
    "'; DROP TABLE users; --",
    "../../etc/passwd",
    "__proto__",
    "x".repeat(3_000),
    [],
    {},
    [[]],
    nested(200)
  ),
  fc.double(),
  fc.string({ unit: "binary" }),
  fc.jsonValue({ maxDepth: 3 })
)

const isContainer = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null

interface Change {
  readonly kind: "replace" | "delete" | "add" | "wrap" | "retype"
  readonly at: number
  readonly depth: number
  readonly value: unknown
}

const changes: fc.Arbitrary<Change> = fc.record({
  kind: fc.constantFrom("replace", "replace", "delete", "add", "wrap", "retype"),
  at: fc.nat({ max: 50 }),
  depth: fc.nat({ max: 2 }),
  value: hostile
})

const changed = (value: unknown, { at, depth, kind, value: other }: Change): unknown => {
  if (!isContainer(value)) return kind === "wrap" ? [value] : other
  const copy: Record<string, unknown> = Array.isArray(value)
    ? (Object.assign([], value) as unknown as Record<string, unknown>)
    : { ...value }
  const keys = Object.keys(copy)
  const key = keys[at % Math.max(1, keys.length)]
  if (kind === "add" || key === undefined) {
    copy[Array.isArray(value) ? String(keys.length) : `extra${at}`] = other
    return copy
  }
  const inner = copy[key]
  if (depth > 0 && isContainer(inner)) copy[key] = changed(inner, { kind, at, depth: depth - 1, value: other })
  else if (kind === "delete") delete copy[key]
  else if (kind === "wrap") copy[key] = [inner]
  else if (kind === "retype") copy[key] = typeof inner === "string" ? Number(inner.length) : JSON.stringify(inner)
  else copy[key] = other
  return copy
}

/** A value with up to three things wrong in it. */
export const damaged = (value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc
    .tuple(value, fc.array(changes, { minLength: 1, maxLength: 3 }))
    .map(([whole, wrongs]) => wrongs.reduce(changed, whole))
