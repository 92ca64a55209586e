import {
  bodyOf,
  codesOf,
  type ContractModel,
  contractModel,
  JSON_TYPE,
  type NamedOperation,
  type Operation
} from "./ContractModel.ts"
import { docstring, literal, parameterOf, pascal, PythonTypes, sentence, snake } from "./JsonSchemaPython.ts"
import type { JsonSchema } from "./JsonSchemaTypes.ts"

const FOLDER = "packages/client-python/emporion"

const MADE = "Made by `bun scripts/generate-reference.ts` from the contract in src/api."

/** Names of the contract's types as the module of operations says them. */
const qualified = (type: string): string =>
  type.replaceAll(/"[^"]*"|\b(?!Literal\b|None\b|Any\b)_?[A-Z]\w*/g, (word) =>
    word.startsWith('"') ? word : `types.${word}`
  )

interface Parameter {
  readonly name: string
  readonly type: string
  readonly isRequired: boolean
}

const placed = (types: PythonTypes, { operation }: NamedOperation, place: string): ReadonlyArray<Parameter> =>
  (operation.parameters ?? [])
    .filter((parameter) => parameter.in === place)
    .map(({ name, required, schema }) => ({
      name,
      type: qualified(types.typeOf(schema, pascal(`${operation.operationId}.${name}`))),
      isRequired: required === true
    }))

const signed = ({ isRequired, name, type }: Parameter): string => {
  if (isRequired) return `${parameterOf(name)}: ${type}`
  return `${parameterOf(name)}: ${/\bNone$/.test(type) ? type : `${type} | None`} = None`
}

const given = (parameters: ReadonlyArray<Parameter>): string =>
  `{${parameters.map(({ name }) => `${literal(name)}: ${parameterOf(name)}`).join(", ")}}`

/** The type of one row of a list; undefined for what is none. */
const rowOf = (types: PythonTypes, operation: NamedOperation, schema: JsonSchema, place: string) => {
  const isPaged = operation.operation.parameters?.some(({ name }) => name === "limit") === true
  if (schema.type === "array") return types.typeOf(schema.items ?? {}, place)
  const [name, list] = Object.entries(schema.properties ?? {}).find(([, { type }]) => type === "array") ?? []
  return isPaged && name !== undefined ? types.typeOf(list?.items ?? {}, `${place}${pascal(name)}`) : undefined
}

const answered = (types: PythonTypes, operation: NamedOperation): string => {
  const place = `${pascal(operation.operation.operationId ?? "")}Response`
  const content = operation.operation.responses["200"]?.content ?? {}
  const json = content[JSON_TYPE]?.schema
  const texts = Object.keys(content).filter((type) => type !== JSON_TYPE)
  if (json === undefined) return texts.length === 0 ? "Request[None]" : "Request[str]"
  const whole = [types.typeOf(json, place), ...(texts.length === 0 ? [] : ["str"])].join(" | ")
  const row = operation.name.startsWith("GET ") ? rowOf(types, operation, json, place) : undefined
  return row === undefined ? `Request[${qualified(whole)}]` : `ListRequest[${qualified(whole)}, ${qualified(row)}]`
}

const isForm = ({ requestBody }: Operation): boolean =>
  requestBody?.content !== undefined && requestBody.content[JSON_TYPE] === undefined

/** A function that says one operation. */
const functionOf = (types: PythonTypes, named: NamedOperation): string => {
  const { name, operation } = named
  const body = bodyOf(operation.requestBody ?? {})
  const inPath = placed(types, named, "path")
  const inQuery = placed(types, named, "query")
  const ordered = [...inQuery.filter((each) => each.isRequired), ...inQuery.filter((each) => !each.isRequired)]
  const taken = [
    ...inPath.map(signed),
    ...(body === undefined
      ? []
      : [`body: ${qualified(types.typeOf(body, `${pascal(operation.operationId ?? "")}Body`))}`]),
    ...(ordered.length === 0 ? [] : ["*"]),
    ...ordered.map(signed)
  ]
  const answer = answered(types, named)
  const parts = [
    literal(name),
    ...(inPath.length === 0 ? [] : [`path=${given(inPath)}`]),
    ...(inQuery.length === 0 ? [] : [`query=${given(inQuery)}`]),
    ...(body === undefined ? [] : ["body=body"]),
    ...(isForm(operation) ? ["is_form=True"] : [])
  ]
  const list = taken.length === 0 ? "" : `\n${taken.map((each) => `    ${each},\n`).join("")}`
  return [
    `def ${snake(operation.operationId ?? "")}(${list}) -> ${answer}:`,
    `    ${docstring(`${sentence(operation.summary)} (\`${name}\`)`)}`,
    `    return ${answer.slice(0, answer.indexOf("["))}(${parts.join(", ")})`,
    ""
  ].join("\n")
}

const operationsPage = (types: PythonTypes, operations: ReadonlyArray<NamedOperation>): string =>
  [
    docstring(`Every operation of the platform, as functions that say what to ask. ${MADE}`),
    "from __future__ import annotations\n",
    "from typing import Any, Literal\n",
    "from . import contract as types",
    "from .requests import ListRequest, Request\n\n",
    operations.map((operation) => functionOf(types, operation)).join("\n\n")
  ].join("\n")

const constantsOf = (constants: ContractModel["constants"]): string =>
  Object.entries(constants)
    .map(([name, value]) => {
      const type =
        typeof value === "object" && value !== null && !Array.isArray(value) ? "Final[Mapping[str, int]]" : "Final"
      return `${name}: ${type} = ${literal(value)}\n`
    })
    .join("")

const codesByOperation = (operations: ReadonlyArray<NamedOperation>): string => {
  const lines = operations.map(({ name, operation }) => `    ${literal(name)}: ${literal(codesOf(operation))},\n`)
  return [
    "# The codes with which each operation may refuse.\n",
    `OPERATION_CODES: Final[Mapping[str, tuple[ErrorCode, ...]]] = {\n${lines.join("")}}\n`
  ].join("")
}

/** The modules of the package for Python that are made from the contract. */
export const pythonContractPages = (): ReadonlyArray<{ readonly path: string; readonly text: string }> => {
  const { codes, constants, messages, operations, schemas, webhooks } = contractModel()
  const types = new PythonTypes()
  types.alias("ErrorCode", `Literal[${codes.map(literal).join(", ")}]`, "What a program decides by when it is refused.")
  for (const [name, schema] of schemas) types.declare(name, schema)
  for (const { payload, success, tag } of messages) {
    if (payload.type !== "null") types.declare(`${pascal(tag)}Payload`, payload)
    types.declare(`${pascal(tag)}Success`, success)
  }
  const events = webhooks.map(({ schema, summary, type }) =>
    types.typeOf({ ...schema, ...(summary === undefined ? {} : { description: summary }) }, `${pascal(type)}Event`)
  )
  types.alias("WebhookEvent", events.join(" | "), "Everything that a webhook may be sent; `type` says which.")
  const asked = operationsPage(types, operations)
  const contract = [
    docstring(`Every request, answer, message and event of the platform as types. ${MADE}`),
    "from __future__ import annotations\n",
    "from collections.abc import Mapping",
    "from typing import Any, Final, Literal, TypeAlias, TypedDict, Union\n",
    constantsOf(constants),
    "",
    types.toString(),
    "",
    codesByOperation(operations)
  ].join("\n")
  return [
    { path: `${FOLDER}/contract.py`, text: contract },
    { path: `${FOLDER}/operations.py`, text: asked }
  ]
}
