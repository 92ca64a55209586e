import { Api } from "../../src/api/Api.ts"
import { make } from "../../src/http/OpenApiDocument.ts"
import type { JsonSchema, Schemas } from "./SchemaArbitrary.ts"

/** A parameter of an operation, as the OpenAPI document has it. */
export interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly schema: JsonSchema
}

/** What an operation takes, as the OpenAPI document has it. */
export interface DocumentedOperation {
  readonly parameters?: ReadonlyArray<Parameter>
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>> }
}

/** The OpenAPI document of the whole contract: what requests may hold, by path and method. */
export const API_DOCUMENT = make(Api) as unknown as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>
  readonly components: { readonly schemas: Schemas }
}
