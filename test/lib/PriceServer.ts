import { Effect } from "effect"
import type { Scope } from "effect"
import { FetchHttpClient, HttpClient } from "effect/http"

/** A local HTTP server whose answer a test changes as it goes. */
export interface PriceServer {
  readonly url: URL
  /** Requests that reached it. */
  readonly requests: () => number
  readonly answer: (respond: (request: Request) => Response | Promise<Response>) => void
}

export const priceServer: Effect.Effect<PriceServer, never, Scope.Scope> = Effect.acquireRelease(
  Effect.sync(() => {
    let respond: (request: Request) => Response | Promise<Response> = () => new Response(null, { status: 404 })
    let requests = 0
    const server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: (request) => {
        requests += 1
        return respond(request)
      }
    })
    return {
      stop: () => server.stop(true),
      url: new URL("/prices.json", server.url),
      requests: () => requests,
      answer: (next: typeof respond) => {
        respond = next
      }
    }
  }),
  ({ stop }) => Effect.promise(stop)
)

/** The client that the program uses. */
export const client: Effect.Effect<HttpClient.HttpClient> = HttpClient.HttpClient.pipe(
  Effect.provide(FetchHttpClient.layer)
)

/** Never answers, until the client hangs up. */
export const stall = (request: Request): Promise<Response> =>
  new Promise((resolve) => {
    request.signal.addEventListener("abort", () => resolve(new Response(null, { status: 499 })))
  })
