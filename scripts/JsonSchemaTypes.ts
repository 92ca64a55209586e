/** A schema as JSON has it. */
export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string
  readonly enum?: ReadonlyArray<string | number | boolean | null>
  readonly anyOf?: ReadonlyArray<JsonSchema>
  readonly oneOf?: ReadonlyArray<JsonSchema>
  readonly allOf?: ReadonlyArray<JsonSchema>
  readonly items?: JsonSchema
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: ReadonlyArray<string>
  readonly additionalProperties?: boolean | JsonSchema
  readonly description?: string
}

/** What stands for a field that was left out; a caller leaves it out. */
const ABSENT = /\/Absent(_\d+)?$/

/** What empties a field: null says the same as the empty text. */
const CLEARED = /\/Cleared(_\d+)?$/

const PRIMITIVES: Readonly<Record<string, string>> = {
  string: "string",
  number: "number",
  integer: "number",
  boolean: "boolean",
  null: "null"
}

const nameOf = (reference: string): string => {
  if (ABSENT.test(reference)) return "null | undefined"
  return CLEARED.test(reference) ? "null" : reference.slice(reference.lastIndexOf("/") + 1)
}

const union = (members: ReadonlyArray<string>): string => [...new Set(members)].join(" | ")

const keyOf = (name: string): string => (/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name))

/** A comment above a declaration. */
export const docOf = (text: string | undefined): string =>
  text === undefined || text === "" ? "" : `/** ${text.replaceAll("*/", "* /").replaceAll(/\s+/g, " ")} */\n`

const objectOf = ({ additionalProperties: more, properties = {}, required = [] }: JsonSchema): string => {
  const names = Object.entries(properties)
  if (names.length === 0) {
    return typeof more === "object" ? `Readonly<Record<string, ${typeOf(more)}>>` : "Readonly<Record<string, unknown>>"
  }
  const fields = names.map(([name, schema]) => {
    const mark = required.includes(name) ? "" : "?"
    return `${docOf(schema.description)}readonly ${keyOf(name)}${mark}: ${typeOf(schema)}`
  })
  return `{\n${fields.join("\n")}\n}`
}

/** The TypeScript type of the values that a schema describes. */
export const typeOf = (schema: JsonSchema): string => {
  if (schema.$ref !== undefined) return nameOf(schema.$ref)
  if (schema.enum !== undefined) return union(schema.enum.map((value) => JSON.stringify(value)))
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return union(choices.map(typeOf))
  if (schema.type === "object") return objectOf(schema)
  if (schema.type === "array") return `ReadonlyArray<${typeOf(schema.items ?? {})}>`
  if (schema.type !== undefined && schema.type in PRIMITIVES) return PRIMITIVES[schema.type] ?? "unknown"
  return schema.allOf === undefined ? "unknown" : schema.allOf.map(typeOf).join(" & ")
}

/** The declaration of a named schema. */
export const declarationOf = (name: string, schema: JsonSchema): string => {
  const isShape = schema.type === "object" && Object.keys(schema.properties ?? {}).length > 0
  const text = typeOf(schema)
  return `${docOf(schema.description)}export ${isShape ? `interface ${name} ${text}` : `type ${name} = ${text}`}\n`
}
