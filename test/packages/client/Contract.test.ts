import { describe, expect, it } from "bun:test"
import type { Operations, ServerFrame } from "../../../packages/client/src/Contract.ts"
import type { ServerFrame as ContractFrame } from "../../../src/api/ArenaStreamProtocol.ts"
import type { Answer, Operation, Payload } from "../../../src/dashboard/app/Contract.ts"
import { API_DOCUMENT } from "../../lib/ApiDocument.ts"
import { textOf } from "../../tidy/Source.ts"

/** A path as the document writes it: `/v1/clients/{clientId}` for `/v1/clients/:clientId`. */
type Braced<Path extends string> = Path extends `${infer Head}/:${infer Name}/${infer Rest}`
  ? Braced<`${Head}/{${Name}}/${Rest}`>
  : Path extends `${infer Head}/:${infer Name}`
    ? `${Head}/{${Name}}`
    : Path

type Named<O extends Operation> = Operations[Braced<O> & keyof Operations]

/** What is sent of a body: a field that is undefined is left out. */
type Sent<Body> =
  Body extends ReadonlyArray<infer Item>
    ? ReadonlyArray<Sent<Item>>
    : Body extends object
      ? { readonly [K in keyof Body]: Sent<Exclude<Body[K], undefined>> }
      : Body

/** Pages that send a browser on to another one, and answer it nothing; and files, which are no JSON. */
type Page = `${string} /auth/${string}` | `${string} /api/auth/${string}` | "GET /api/arena/history/:day/:file"

type Compared = Exclude<Operation, Page>

/** Operations that answer in the contract's schemas what the package's types do not allow. */
type Misread = {
  [O in Compared]: [Answer<O>] extends [Named<O>["response"]] ? never : O
}[Compared]

/** Operations that refuse by the contract's schemas what the package's types allow to send. */
type Missent = {
  [O in Compared]: Named<O>["request"] extends { readonly body: infer Body }
    ? [Sent<Body>] extends [Payload<O>]
      ? never
      : O
    : never
}[Compared]

const misread: ReadonlyArray<Misread> = []
const missent: ReadonlyArray<Missent> = []
const isFrame = (frame: ContractFrame): ServerFrame => frame

describe("The package's types", () => {
  it("are those of the contract's schemas, as the compiler sees them", () => {
    const none: ReadonlyArray<never> = misread
    const neither: ReadonlyArray<never> = missent
    expect([...none, ...neither]).toEqual([])
    expect(isFrame).toBeFunction()
  })

  it("name every operation of the document once", () => {
    const text = textOf("packages/client/src/Contract.ts") ?? ""
    const named = [...text.matchAll(/^readonly "((?:GET|POST|PUT|PATCH|DELETE) \/[^"]*)": \{$/gm)].map(
      ([, name]) => name
    )
    const documented = Object.entries(API_DOCUMENT.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`)
    )
    expect(documented.length).toBeGreaterThan(100)
    expect(named.toSorted()).toEqual(documented.toSorted())
  })
})
