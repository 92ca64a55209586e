import { Context, Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { HttpApiSchema } from "effect/http-api"
import type { Page as Asked } from "../api/Paging.ts"
import { RequestState } from "../RequestState.ts"

/** The facts of a list beside its rows. */
export interface Page {
  /** The rows of all pages. */
  readonly total: number
  /** The cursor of the next page, if there is one. */
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

/** Adds the address of the next page to the answer. */
export const tellNext = (next: string | undefined): Effect.Effect<void, never, HttpServerRequest.HttpServerRequest> =>
  Effect.withFiber((fiber) => {
    const { url } = Context.getUnsafe(fiber.context, HttpServerRequest.HttpServerRequest)
    if (next !== undefined) Context.getUnsafe(fiber.context, RequestState).link = linkTo(url, next)
    return Effect.void
  })

/** The paging fields of a list in the arena. */
export const inArena = ({ limit, offset }: Omit<Asked, "after">, { next, total }: Page) =>
  Effect.as(tellNext(next), { total, offset, limit })

/** The answer of a list outside the arena: its rows, their total number, and the address of the next ones. */
export const of = <Row>(rows: ReadonlyArray<Row>, { next, total }: Page) =>
  Effect.as(tellNext(next), HttpApiSchema.withHeaders({ body: rows, headers: { "x-total-count": total } }))
