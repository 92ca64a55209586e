import type { Json, JsonObject } from "./DocumentJson.ts"

const TEXT: JsonObject = { type: "string" }

const texts = (...names: ReadonlyArray<string>): JsonObject => Object.fromEntries(names.map((name) => [name, TEXT]))

const PROFILE = ["email", "cellphone", "country", "address", "firstname", "lastname", "city"]
const PROFILE_OPTIONAL = [
  "id",
  "accountName",
  "accesstoken",
  "profileurl",
  "language",
  "nickname",
  "dob",
  "occupation",
  "iscorporate"
]

/** What a reference to a schema by its name is. */
export const refTo = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` })

/** Schemas that the specification names and shows at no operation of its own: 2.5, 2.14. */
export const SCHEMAS: Readonly<Record<string, Json>> = {
  Profile: { type: "object", required: PROFILE, properties: texts(...PROFILE, ...PROFILE_OPTIONAL) },
  Wallet: {
    type: "object",
    required: ["name", "symbol", "userId", "balance"],
    properties: { ...texts("name", "symbol", "userId"), balance: { type: "number", format: "double" } }
  },
  ResponseError: {
    type: "object",
    required: ["message", "code"],
    properties: {
      message: { ...TEXT, description: "What to do, in a sentence." },
      code: { ...TEXT, description: "What a program decides by." }
    }
  }
}
