import { Context, Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { HttpApiSchema } from "effect/http-api"
import type { Page as Asked } from "../api/Paging.ts"
import { RequestState } from "./RequestState.ts"

/** What a list tells beside its rows. */
export interface Page {
  /** The rows of all pages. */
  readonly total: number
  /** The cursor of the next page, where there is one. */
  readonly next: string | undefined
}

/** The `Link` from one page, by its path with the query, to the next. RFC 8288. */
export const linkTo = (target: string, next: string): string => {
  const [path = "", ...query] = target.split("?")
  const parameters = new URLSearchParams(query.join("?"))
  parameters.delete("offset")
  parameters.set("after", next)
  return `<${path}?${parameters.toString()}>; rel="next"`
}

/** Has the answer tell where the next page is. */
export const tellNext = (next: string | undefined): Effect.Effect<void, never, HttpServerRequest.HttpServerRequest> =>
  Effect.withFiber((fiber) => {
    const { url } = Context.getUnsafe(fiber.context, HttpServerRequest.HttpServerRequest)
    if (next !== undefined) Context.getUnsafe(fiber.context, RequestState).link = linkTo(url, next)
    return Effect.void
  })

/** What a list in the arena tells of its page. */
export const inArena = ({ limit, offset }: Omit<Asked, "after">, { next, total }: Page) =>
  Effect.as(tellNext(next), { total, offset, limit })

/** The answer of a list outside of the arena: its rows, how many there are, and where the next ones are. */
export const of = <Row>(rows: ReadonlyArray<Row>, { next, total }: Page) =>
  Effect.as(tellNext(next), HttpApiSchema.withHeaders({ body: rows, headers: { "x-total-count": total } }))
