import { Schema } from "effect"
import { OBJECT_SCHEMAS, WebhookBody } from "../engine/webhooks/WebhookBody.ts"
import { type Emission, WEBHOOK_EVENTS } from "../engine/webhooks/WebhookEventTypes.ts"
import { exampleOf } from "../engine/webhooks/WebhookExample.ts"
import { envelopeOf } from "../engine/webhooks/WebhookMessage.ts"

/** What of a JSON Schema the page shows. */
interface Shape {
  readonly type?: string
  readonly $ref?: string
  readonly description?: string
  readonly enum?: ReadonlyArray<string>
  readonly format?: string
  readonly anyOf?: ReadonlyArray<Shape>
  readonly allOf?: ReadonlyArray<Shape>
  readonly items?: Shape
  readonly properties?: Readonly<Record<string, Shape>>
  readonly required?: ReadonlyArray<string>
}

type Kind = keyof typeof OBJECT_SCHEMAS

const KINDS = Object.keys(OBJECT_SCHEMAS) as ReadonlyArray<Kind>

const HEADINGS: Readonly<Record<Kind, string>> = {
  order: "Order",
  payment: "Payment",
  subscription: "Subscription",
  company: "Company",
  credit_profile: "Credit profile",
  webhook: "Webhook"
}

/** A shape with what stands elsewhere put where it is named. */
const resolved = (shape: Shape, definitions: Readonly<Record<string, unknown>>): Shape => {
  const name = shape.$ref?.split("/").at(-1)
  if (name !== undefined) return resolved(definitions[name] as Shape, definitions)
  const inside = (inner: Shape) => resolved(inner, definitions)
  const { anyOf, items, properties } = shape
  return {
    ...shape,
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map(inside) }),
    ...(items === undefined ? {} : { items: inside(items) }),
    ...(properties === undefined
      ? {}
      : { properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, inside(one)])) })
  }
}

const shapeOf = (kind: Kind): Shape => {
  const { definitions, schema } = Schema.toJsonSchemaDocument(OBJECT_SCHEMAS[kind])
  return resolved(schema as Shape, definitions)
}

/** A schema's own parts and those of what it is made of. */
const merged = (shape: Shape): Shape => Object.assign({}, shape, ...(shape.allOf ?? []))

const typeOf = (given: Shape): string => {
  const shape = merged(given)
  if (shape.anyOf !== undefined) return shape.anyOf.map(typeOf).join(" or ")
  if (shape.enum !== undefined) return shape.enum.map((value) => `\`${value}\``).join(", ")
  if (shape.format === "date-time") return "time"
  if (shape.type === "array") return shape.items?.type === "object" ? "list" : `list of ${typeOf(shape.items ?? {})}`
  return shape.type ?? "anything"
}

/** A time says what it is by its type. */
const meaningOf = (shape: Shape): string => {
  const text = merged(shape).description ?? ""
  return text === "An ISO 8601 time with Z." ? "" : text
}

const nested = (shape: Shape): Shape | undefined =>
  [shape, ...(shape.anyOf ?? [])].find(({ properties }) => properties !== undefined)

const fieldRows = (shape: Shape, prefix = ""): ReadonlyArray<string> =>
  Object.entries(shape.properties ?? {}).flatMap(([name, field]) => {
    const path = `${prefix}${name}`
    const missing = shape.required?.includes(name) === true ? "" : " May be missing."
    const row = `| \`${path}\` | ${typeOf(field)} | ${meaningOf(field)}${missing} |`
    const inside = nested(field)
    if (inside !== undefined) return [row, ...fieldRows(inside, `${path}.`)]
    const item = field.items === undefined ? undefined : nested(field.items)
    return item === undefined ? [row] : [row, ...fieldRows(item, `${path}[].`)]
  })

const code = (text: string): string => `\`${text}\``

const causes = ({ itself, operations, when }: Emission): string => {
  const all = [...operations.map(code), ...(itself === undefined ? [] : [`the platform, which ${itself}`])].join(", ")
  return when === undefined ? all : `${all}, where ${when}`
}

const typeRows = WEBHOOK_EVENTS.map(
  ({ description, object, told, type }) => `| \`${type}\` | ${description} | \`${object}\` | ${told} |`
)

const emissionRows = WEBHOOK_EVENTS.flatMap(({ emissions, type }) =>
  emissions.map((emission) => {
    const recorded = emission.recorded === null ? "" : code(emission.recorded)
    return `| \`${type}\` | ${recorded} | ${causes(emission)} |`
  })
)

/** Each operation, in the order in which the table names it first, and the types that it may come to. */
const byOperation = (): ReadonlyArray<string> => {
  const types = new Map<string, Set<string>>()
  for (const { emissions, type } of WEBHOOK_EVENTS) {
    for (const operation of emissions.flatMap(({ operations }) => operations)) {
      types.set(operation, (types.get(operation) ?? new Set()).add(type))
    }
  }
  return Array.from(types, ([operation, all]) => `| \`${operation}\` | ${[...all].map(code).join(", ")} |`)
}

const objectSection = (kind: Kind): ReadonlyArray<string> => {
  const shape = shapeOf(kind)
  const example = WEBHOOK_EVENTS.find(({ object }) => object === kind)
  return [
    `### ${HEADINGS[kind]}`,
    "",
    `${shape.description ?? ""}`,
    "",
    "| field | type | meaning |",
    "|---|---|---|",
    ...fieldRows(shape),
    "",
    ...(example === undefined
      ? []
      : ["```json", JSON.stringify(envelopeOf(exampleOf(example.type)), undefined, 2), "```", ""])
  ]
}

/** The page of webhooks' events: what each says, what makes it, and what its object has. */
export const webhookPage = (): string =>
  [
    "# Webhook events",
    "",
    "This page says what is delivered to a company's endpoints, and what makes it. [Webhooks](../concepts/webhooks.md) says",
    "how: signatures, attempts, retries and limits.",
    "",
    "The same commit records an event and the change that it reports, so no event is lost and none is false. Its object is as",
    "that event left it, whatever changed since. Everybody who takes part gets an event: an order's buyer and each of its",
    "sellers get their own, with an id of its own, and a seller's event shows only its own items. A company's endpoints also",
    "get the events of the companies that it manages.",
    "",
    "| type | what happened | object | told |",
    "|---|---|---|---|",
    ...typeRows,
    "",
    "## What makes an event",
    "",
    "The second column is the event in the journal, which `emporion export` writes.",
    "",
    "| type | recorded | by |",
    "|---|---|---|",
    ...emissionRows,
    "",
    "## What an operation makes",
    "",
    "| operation | types |",
    "|---|---|",
    ...byOperation(),
    "",
    "## Bodies",
    "",
    "A body is the envelope with one object in `data.object`. Amounts are JSON numbers with at most six decimals, times ISO 8601",
    "with `Z`. New fields and new types may come: ignore what you do not know. The meaning of a type never changes.",
    "[`webhooks.schema.json`](webhooks.schema.json) has all of this as a JSON Schema (draft 2020-12).",
    "",
    "| field | type | meaning |",
    "|---|---|---|",
    "| `id` | string | The same however often it is delivered: by it receivers know what they have. |",
    "| `object` | `event` | |",
    "| `type` | string | One of the table above. |",
    "| `created_at` | time | When it happened. |",
    "| `data.object` | object | What it tells of: `object` names its kind, `id` the thing, `company_id` whose it is. |",
    "",
    ...KINDS.flatMap(objectSection)
  ].join("\n")

/** The safe integers' bounds say nothing that `integer` does not. */
const withoutBounds = (key: string, value: unknown): unknown =>
  (key === "minimum" || key === "maximum") && Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER ? undefined : value

/** The JSON Schema of bodies, as a file. */
export const webhookSchema = (): string => {
  const { definitions, schema } = Schema.toJsonSchemaDocument(WebhookBody)
  const document = { $schema: "https://json-schema.org/draft/2020-12/schema", ...schema, $defs: definitions }
  return `${JSON.stringify(document, withoutBounds, 2)}\n`
}
