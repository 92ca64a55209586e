import { Context } from "effect"
import { FindMyWay } from "effect/http"
import { HttpApi } from "effect/http-api"
import type { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { type Access, Authorization, Policy } from "../api/Authorization.ts"
import { AnswersSecret, ChangesOnGet, Fast } from "../api/Conventions.ts"

/** The facts about an endpoint that are known before a request reaches it. */
export interface Entry {
  /** Its answers hold tokens or secrets and are never kept. */
  readonly answersSecret: boolean
  /** A GET that changes something, or another method. */
  readonly changes: boolean
  /** It is asked for often: {@link Fast}. */
  readonly isFast: boolean
  /** The content types that its body may have; none where it takes no body. A body without one is refused. */
  readonly media: ReadonlyArray<string>
  /** Who may call it; undefined where nobody is refused by that, as outside the contract. */
  readonly access: Access | undefined
  /** Undefined outside the contract. */
  readonly endpoint: HttpApiEndpoint.Top | undefined
}

/** An endpoint as a request names it. */
export interface Match {
  readonly entry: Entry
  /** What stands in the places of the path, decoded. */
  readonly params: Readonly<Record<string, string | undefined>>
}

/** Every method and path that is served. */
export interface EndpointTable {
  /** An endpoint by its own path: `/v1/webhooks/test` is no webhook's, whatever the method. */
  readonly find: (method: string, path: string) => Match | undefined
  /** The methods a path takes, for the `Allow` header; none when the path is unknown. */
  readonly allowed: (path: string) => ReadonlyArray<string>
}

/** The longest name that a path may have in place of a parameter, as it is written. */
export const MAX_NAME_LENGTH = 200

/**
 * The server takes a path as it is written: letter case and every slash count. So decisions made by the path before
 * routing, such as an error's shape or whether to keep an answer, hold for the endpoint that takes the request.
 */
export const EXACT_PATHS: FindMyWay.RouterConfig = {
  ignoreTrailingSlash: false,
  ignoreDuplicateSlashes: false,
  caseSensitive: true,
  maxParamLength: MAX_NAME_LENGTH
}

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const

/** A path outside the contract, such as the documentation's. */
export interface ExtraRoute {
  readonly method: (typeof METHODS)[number]
  readonly path: `/${string}`
}

/** Whether a path has nothing where a name should stand: one of a list with a slash behind it is not that of a thing. */
export const namesNothing = (path: string): boolean => path.endsWith("/") || path.includes("//")

/** The table of a contract and of the paths beside it. */
export const make = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>,
  extras: ReadonlyArray<ExtraRoute>
): EndpointTable => {
  const router = FindMyWay.make<Entry>(EXACT_PATHS)
  /** Paths without a parameter. */
  const whole = new Set<string>(extras.map(({ path }) => path))
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, mergedAnnotations }) => {
      if (!endpoint.path.includes(":")) whole.add(endpoint.path)
      router.on(endpoint.method, endpoint.path as FindMyWay.PathInput, {
        answersSecret: Context.get(mergedAnnotations, AnswersSecret),
        changes: endpoint.method !== "GET" || Context.get(mergedAnnotations, ChangesOnGet),
        isFast: Context.get(mergedAnnotations, Fast),
        media: [...endpoint.payload.keys()],
        access: Context.getOrUndefined(mergedAnnotations, Policy),
        endpoint
      })
    }
  })
  for (const { method, path } of extras) {
    const changes = method !== "GET"
    const nothing = { answersSecret: false, isFast: false, media: [], access: undefined, endpoint: undefined }
    router.on(method, path, { ...nothing, changes })
  }
  const find = (method: string, path: string): Match | undefined => {
    const found = router.find(method, path)
    if (found === undefined) return undefined
    const { endpoint } = found.handler
    if (endpoint !== undefined && (namesNothing(path) || (endpoint.path !== path && whole.has(path)))) return undefined
    return { entry: found.handler, params: found.params }
  }
  return {
    find,
    allowed: (path) =>
      METHODS.flatMap((method) =>
        find(method, path) === undefined ? [] : method === "GET" ? ["GET", "HEAD"] : [method]
      )
  }
}

/** Endpoints whose access is not declared or not enforced, one sentence each. The server refuses to start on any. */
export const undeclaredAccess = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>
): ReadonlyArray<string> => {
  const problems: Array<string> = []
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, mergedAnnotations, middleware }) => {
      const access = Context.getOrUndefined(mergedAnnotations, Policy)
      const guarded = [...middleware].some((service) => service.key === Authorization.key)
      const name = `${endpoint.method} ${endpoint.path}`
      if (access === undefined) problems.push(`${name} declares no Policy`)
      else if (access._tag === "Open" && guarded) problems.push(`${name} is open and carries Authorization`)
      else if (access._tag !== "Open" && !guarded) problems.push(`${name} lacks Authorization`)
    }
  })
  return problems
}
