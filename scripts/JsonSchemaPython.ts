import type { JsonSchema } from "./JsonSchemaTypes.ts"

/** What stands for a field that was left out, or empties it: in Python both are None. */
const NOTHING = /\/(Absent|Cleared)(_\d+)?$/

const PRIMITIVES: Readonly<Record<string, string>> = {
  string: "str",
  number: "float",
  integer: "int",
  boolean: "bool",
  null: "None"
}

const KEYWORDS = new Set(
  (
    "False None True and as assert async await break class continue def del elif else except finally for from global if " +
    "import in is lambda nonlocal not or pass raise return try while with yield"
  ).split(" ")
)

/** A value of JSON as Python writes it. */
export const literal = (value: unknown): string => {
  if (value === null) return "None"
  if (value === true) return "True"
  if (value === false) return "False"
  if (Array.isArray(value)) return `(${value.map((each) => `${literal(each)},`).join(" ")})`
  if (typeof value !== "object") return JSON.stringify(value)
  return `{${Object.entries(value)
    .map(([key, each]) => `${literal(key)}: ${literal(each)}`)
    .join(", ")}}`
}

/** `AssetType` for `asset_type`, `assetType` and `asset.type`. */
export const pascal = (text: string): string =>
  text
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join("")

/** `bot_credits` for `botCredits`. */
export const snake = (text: string): string =>
  text
    .replaceAll(/[^A-Za-z0-9]+/g, "_")
    .replaceAll(/[A-Z]/g, (letter, at: number) => (at === 0 ? letter.toLowerCase() : `_${letter.toLowerCase()}`))

/** A name as a parameter of a function: `from_` for `from`. */
export const parameterOf = (name: string): string => (KEYWORDS.has(name) ? `${name}_` : snake(name))

/** What is said of a thing, on one line. */
export const sentence = (text: string | undefined): string => (text ?? "").replaceAll(/\s+/g, " ").trim()

/** A docstring. */
export const docstring = (text: string): string => `"""${text.replaceAll("\\", "\\\\").replaceAll('"""', "'''")}"""`

interface Field {
  readonly name: string
  readonly type: string
  readonly description: string
  readonly isRequired: boolean
}

const isNamed = ({ name }: Field): boolean => /^[A-Za-z_]\w*$/.test(name) && !KEYWORDS.has(name)

const comment = ({ description }: Field): string => (description === "" ? "" : `    # ${description}\n`)

/** A class of some fields; by a call where a name is none that a class may have. */
const shape = (name: string, base: string, doc: string, fields: ReadonlyArray<Field>): string => {
  const total = fields.some(({ isRequired }) => isRequired) ? "" : ", total=False"
  if (fields.every(isNamed)) {
    const lines = fields.map((field) => `${comment(field)}    ${field.name}: ${field.type}\n`)
    return `class ${name}(${base}${total}):\n${doc === "" ? "" : `    ${docstring(doc)}\n\n`}${lines.join("")}`
  }
  const entries = fields.map((field) => `${comment(field)}    ${literal(field.name)}: ${literal(field.type)},\n`)
  return `${name} = TypedDict(${literal(name)}, {\n${entries.join("")}}${total})\n`
}

/** A TypedDict; with a base for what it must have where it may have more. */
const declared = (name: string, doc: string, fields: ReadonlyArray<Field>): string => {
  const required = fields.filter(({ isRequired }) => isRequired)
  const optional = fields.filter(({ isRequired }) => !isRequired)
  if (required.length === 0 || optional.length === 0) return shape(name, "TypedDict", doc, fields)
  const head = shape(`_${name}`, "TypedDict", "", required)
  if (optional.every(isNamed)) return `${head}\n\n${shape(name, `_${name}`, doc, optional)}`
  const more = shape(`_${name}More`, "TypedDict", "", optional)
  return `${head}\n\n${more}\n\nclass ${name}(_${name}, _${name}More):\n    ${docstring(doc === "" ? name : doc)}\n`
}

/** Python's literals are whole numbers, texts, and what is true, false or nothing. */
const literals = (values: ReadonlyArray<unknown>): string =>
  values.every((value) => typeof value !== "number" || Number.isInteger(value))
    ? `Literal[${values.map(literal).join(", ")}]`
    : "float"

/** The declarations of a module of types, each once. */
export class PythonTypes {
  readonly #shapes = new Map<string, string>()
  /** The name of each shape by its fields. */
  readonly #named = new Map<string, string>()
  readonly #aliases = new Map<string, { readonly text: string; readonly needs: ReadonlyArray<string> }>()

  /** Declares a schema that has a name in the contract. */
  declare(name: string, schema: JsonSchema): void {
    if (schema.type === "object" && Object.keys(schema.properties ?? {}).length > 0)
      this.#declareShape(name, schema, this.#fieldsOf(name, schema))
    else this.alias(name, this.typeOf(schema, `${name}Choice`), schema.description)
  }

  /** Declares another name of a type. */
  alias(name: string, type: string, description?: string): void {
    if (type === name) return
    const needs = type.match(/\b[A-Z]\w*\b(?=[^"]*(?:"[^"]*"[^"]*)*$)/g) ?? []
    const doc = sentence(description)
    const quoted = type.includes("|") ? `Union[${this.#split(type).join(", ")}]` : type
    this.#aliases.set(name, { text: `${doc === "" ? "" : `# ${doc}\n`}${name}: TypeAlias = ${quoted}\n`, needs })
  }

  /** The type of the values that a schema describes; shapes without a name get one of where they are. */
  typeOf(schema: JsonSchema, place: string): string {
    if (schema.$ref !== undefined) return NOTHING.test(schema.$ref) ? "None" : this.#referred(schema.$ref)
    if (schema.enum !== undefined) return literals(schema.enum)
    const choices = schema.anyOf ?? schema.oneOf
    if (choices !== undefined) return this.#union(choices.map((choice) => this.typeOf(choice, place)))
    if (schema.type === "object") return this.#objectOf(schema, place)
    if (schema.type === "array") return `list[${this.typeOf(schema.items ?? {}, place)}]`
    return PRIMITIVES[schema.type ?? ""] ?? "Any"
  }

  toString(): string {
    const aliases: Array<string> = []
    const done = new Set<string>()
    const visit = (name: string): void => {
      const alias = this.#aliases.get(name)
      if (alias === undefined || done.has(name)) return
      done.add(name)
      for (const need of alias.needs) visit(need)
      aliases.push(alias.text)
    }
    for (const name of this.#aliases.keys()) visit(name)
    return [...this.#shapes.values(), aliases.join("\n")].join("\n\n")
  }

  #referred(reference: string): string {
    return reference.slice(reference.lastIndexOf("/") + 1)
  }

  #split(type: string): ReadonlyArray<string> {
    const parts = [""]
    let depth = 0
    for (const letter of type) {
      depth += letter === "[" ? 1 : letter === "]" ? -1 : 0
      if (letter === "|" && depth === 0) parts.push("")
      else parts[parts.length - 1] += letter
    }
    return parts.map((part) => part.trim())
  }

  /** None stands last, and literals in one. */
  #union(members: ReadonlyArray<string>): string {
    const flat = [...new Set(members.flatMap((member) => this.#split(member)))]
    return [...flat.filter((each) => each !== "None"), ...flat.filter((each) => each === "None")].join(" | ")
  }

  #objectOf(schema: JsonSchema, place: string): string {
    const more = schema.additionalProperties
    if (Object.keys(schema.properties ?? {}).length === 0)
      return `dict[str, ${typeof more === "object" ? this.typeOf(more, place) : "Any"}]`
    return this.#shape(place, schema)
  }

  #fieldsOf(place: string, { properties = {}, required = [] }: JsonSchema): ReadonlyArray<Field> {
    return Object.entries(properties).map(([name, schema]) => ({
      name,
      type: this.typeOf(schema, `${place}${pascal(name)}`),
      description: sentence(schema.description),
      isRequired: required.includes(name)
    }))
  }

  #declareShape(name: string, { description }: JsonSchema, fields: ReadonlyArray<Field>): void {
    this.#shapes.set(name, declared(name, sentence(description), fields))
    const key = JSON.stringify(fields)
    if (!this.#named.has(key)) this.#named.set(key, name)
  }

  /** Names a shape as one with the same fields is named, else by its place; where that is taken, by a number too. */
  #shape(place: string, schema: JsonSchema): string {
    const fields = this.#fieldsOf(place, schema)
    const known = this.#named.get(JSON.stringify(fields))
    if (known !== undefined) return known
    for (let count = 1; ; count++) {
      const name = count === 1 ? place : `${place}${count}`
      if (this.#shapes.has(name) || this.#aliases.has(name)) continue
      this.#declareShape(name, schema, fields)
      return name
    }
  }
}
