import { Context, SchemaAST } from "effect"
import { HttpApi } from "effect/http-api"
import { Api } from "../../src/api/Api.ts"
import { type Access, Policy } from "../../src/api/Authorization.ts"
import { AnswersSecret, TakesAnyQuery } from "../../src/api/Conventions.ts"

/** What the contract says of an operation before it is asked. */
export interface DeclaredOperation {
  /** `METHOD /path` with `{name}` for a parameter. */
  readonly name: string
  readonly method: string
  readonly path: string
  readonly access: Access | undefined
  readonly answersSecret: boolean
}

/** The parameters of a query, and whether others are ignored there. */
interface DeclaredQuery {
  readonly query: ReadonlyArray<string>
  readonly takesAny: boolean
}

const queries = (): ReadonlyMap<string, DeclaredQuery> => {
  const found = new Map<string, DeclaredQuery>()
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, mergedAnnotations }) => {
      const ast = endpoint.query === undefined ? undefined : SchemaAST.toEncoded(endpoint.query.ast)
      found.set(`${endpoint.method} ${endpoint.path.replaceAll(/:(\w+)/g, "{$1}")}`, {
        query: ast?._tag === "Objects" ? ast.propertySignatures.map(({ name }) => String(name)) : [],
        takesAny: Context.get(mergedAnnotations, TakesAnyQuery)
      })
    }
  })
  return found
}

const declared = (): ReadonlyArray<DeclaredOperation> => {
  const found: Array<DeclaredOperation> = []
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, mergedAnnotations }) => {
      const path = endpoint.path.replaceAll(/:(\w+)/g, "{$1}")
      found.push({
        name: `${endpoint.method} ${path}`,
        method: endpoint.method,
        path,
        access: Context.getOrUndefined(mergedAnnotations, Policy),
        answersSecret: Context.get(mergedAnnotations, AnswersSecret)
      })
    }
  })
  return found
}

/** Every operation of the contract, so that a new one is tried like all others. */
export const OPERATIONS = declared()

/** The query of each operation, by its name. */
export const DECLARED_QUERIES = queries()
