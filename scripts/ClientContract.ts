import {
  bodyOf,
  codesOf,
  type ContractModel,
  contractModel,
  JSON_TYPE,
  type LaneMessage,
  type NamedOperation,
  type Operation
} from "./ContractModel.ts"
import { declarationOf, docOf, typeOf } from "./JsonSchemaTypes.ts"

const responseOf = ({ responses }: Operation): string => {
  const content = responses["200"]?.content ?? {}
  const json = content[JSON_TYPE]
  const types = Object.keys(content)
  if (json !== undefined) return types.length === 1 ? typeOf(json.schema) : `${typeOf(json.schema)} | string`
  return types.length === 0 ? "undefined" : "string"
}

/** The parameters of a place as a field of the request; a caller may leave out what it may give. */
const parametersOf = (operation: Operation, place: string): ReadonlyArray<string> => {
  const found = (operation.parameters ?? []).filter((parameter) => parameter.in === place)
  if (found.length === 0) return []
  const fields = found.map(({ name, required, schema }) =>
    required === true
      ? `${docOf(schema.description)}readonly ${name}: ${typeOf(schema)}`
      : `${docOf(schema.description)}readonly ${name}?: ${typeOf(schema)} | undefined`
  )
  const mark = found.some(({ required }) => required === true) ? "" : "?"
  return [`readonly ${place}${mark}: {\n${fields.join("\n")}\n}`]
}

const unionOf = (codes: ReadonlyArray<string>): string =>
  codes.length === 0 ? "never" : codes.map((code) => JSON.stringify(code)).join(" | ")

const partsOf = (operation: Operation): ReadonlyArray<string> => {
  const { requestBody = {} } = operation
  const body = bodyOf(requestBody)
  const parts = [
    ...parametersOf(operation, "path"),
    ...parametersOf(operation, "query"),
    ...(body === undefined ? [] : [`readonly body${requestBody.required === true ? "" : "?"}: ${typeOf(body)}`])
  ]
  return [
    `readonly request: ${parts.length === 0 ? "Readonly<Record<never, never>>" : `{\n${parts.join("\n")}\n}`}`,
    `readonly response: ${responseOf(operation)}`,
    `readonly code: ${unionOf(codesOf(operation))}`
  ]
}

const operationsOf = (operations: ReadonlyArray<NamedOperation>): string => {
  const entries = operations.map(
    ({ name, operation }) =>
      `${docOf(operation.summary)}readonly ${JSON.stringify(name)}: {\n${partsOf(operation).join("\n")}\n}`
  )
  return `/** Every operation, by its method and path. */\nexport interface Operations {\n${entries.join("\n")}\n}\n`
}

const webhooksOf = (webhooks: ContractModel["webhooks"]): string => {
  const entries = webhooks.map(
    ({ schema, summary, type }) => `${docOf(summary)}readonly ${JSON.stringify(type)}: ${typeOf(schema)}`
  )
  return `/** What a webhook is sent, by the event's type. */\nexport interface WebhookEvents {\n${entries.join("\n")}\n}\n`
}

const messagesOf = (messages: ReadonlyArray<LaneMessage>): string => {
  const entries = messages.map(({ payload, success, tag }) => {
    const takes = payload.type === "null" ? "undefined" : typeOf(payload)
    return `readonly ${tag}: {\nreadonly payload: ${takes}\nreadonly success: ${typeOf(success)}\n}`
  })
  return `/** The messages of the fast lane. */\nexport interface FastLaneMessages {\n${entries.join("\n")}\n}\n`
}

const HEAD =
  "/** Every operation, message and event of the platform as types, and what its protocols agree on. " +
  "Made by `bun scripts/generate-reference.ts` from the contract in src/api. */\n"

/** The types of everything that a client sends and is told, as a module of the package for TypeScript. */
export const clientContractPage = (): { readonly path: string; readonly text: string } => {
  const { codes, constants, messages, operations, schemas, webhooks } = contractModel()
  const parts = [
    HEAD,
    Object.entries(constants)
      .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)} as const\n`)
      .join(""),
    `/** What a program decides by when it is refused. */\nexport type ErrorCode = ${unionOf(codes)}\n`,
    [...schemas].map(([name, schema]) => declarationOf(name, schema)).join("\n"),
    operationsOf(operations),
    messagesOf(messages),
    webhooksOf(webhooks)
  ]
  return { path: "packages/client/src/Contract.ts", text: parts.join("\n") }
}
