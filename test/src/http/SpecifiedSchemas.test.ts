import { describe, expect, it } from "bun:test"
import { Api } from "../../../src/api/Api.ts"
import { make } from "../../../src/http/OpenApiDocument.ts"
import { refTo } from "../../../src/http/SpecifiedSchemas.ts"

interface Schema {
  readonly required: ReadonlyArray<string>
  readonly properties: Readonly<Record<string, { readonly type: string }>>
}

const document = make(Api) as unknown as { readonly components: { readonly schemas: Readonly<Record<string, Schema>> } }

const { Profile, ResponseError, Wallet } = document.components.schemas

describe("Schemas that the specification names", () => {
  it("are in the document under their names, with their fields (2.5, 2.14)", () => {
    expect(Profile?.required).toEqual(["email", "cellphone", "country", "address", "firstname", "lastname", "city"])
    expect(Object.keys(Profile?.properties ?? {})).toHaveLength(16)
    expect(Wallet?.required).toEqual(["name", "symbol", "userId", "balance"])
    expect(Wallet?.properties["balance"]).toEqual({ type: "number", format: "double" } as never)
    expect(ResponseError?.required).toEqual(["message", "code"])
  })

  it("are what every error answers", () => {
    const refs = JSON.stringify(document).split(JSON.stringify(refTo("ResponseError"))).length - 1
    expect(refs).toBeGreaterThan(500)
  })
})
