import { Deferred, Effect, Layer, type Scope } from "effect"
import { RequestCarriers } from "../../engine/cluster/RequestCarriers.ts"
import type { NamedSending } from "../../engine/cluster/RequestName.ts"
import { carrierSocket } from "../../src/cluster/CarrierSocket.ts"
import { Forwarding } from "../../src/cluster/Forwarding.ts"
import { callerOf, CONNECTION, REQUESTS } from "../../src/cluster/ForwardedRequest.ts"
import type { OwnSocket } from "../../src/cluster/LocalApp.ts"
import { make as makeCredential } from "../../src/cluster/NodeCredential.ts"
import { Nodes, type ServingWriter } from "../../src/cluster/Nodes.ts"
import { Settings } from "../../src/Config.ts"
import type { CarriedRequest } from "../../src/cluster/CarriedRequest.ts"
import type { CarriedResponse, Peer, RuntimeServer } from "../../src/runtime/ServerRuntime.ts"
import { itLive } from "./Effects.ts"

/** Of nodes of which nobody hears anything. */
export const NO_NEWS = {
  registered: () => undefined,
  heard: () => undefined,
  hears: () => false,
  silent: () => undefined
}

/** Also where the caller's `Host` is no name. */
export const pathOf = ({ url }: Request): string => url.slice(url.indexOf("/", "http://".length))

let answered = 0

/** Every other answer as the conventions give it, where it can be. */
const inTurnsWhole = async (response: Response): Promise<CarriedResponse> => {
  answered += 1
  const headers = Object.fromEntries(response.headers)
  if (answered % 2 === 0 || "set-cookie" in headers) return response
  return { status: response.status, headers, body: await response.text() }
}

export type Answering = (request: Request) => Response | Promise<Response>

/** Nodes that take turns in writing, each an answer for every request that it gets. */
export class WritingNodes {
  #current = Deferred.makeUnsafe<ServingWriter>()
  #now: ServingWriter | undefined
  #end = Deferred.makeUnsafe<void>()
  #arrival = (): void => undefined
  /** Once a request arrived. */
  readonly arrived = new Promise<void>((resolve) => {
    this.#arrival = resolve
  })
  readonly keys: Array<string | null> = []
  readonly callers: Array<unknown> = []
  /** How those were named that came on a node's own connection. */
  readonly sendings: Array<NamedSending | undefined> = []
  /** How many of the requests came together with others on a node's own connection. */
  carried = 0

  readonly layer = Layer.succeed(
    Nodes,
    Nodes.of({
      writer: () => undefined,
      isAlive: () => true,
      ...NO_NEWS,
      serving: Effect.suspend(() => Deferred.await(this.#current)),
      servingNow: () => this.#now
    })
  )

  /** From now on a node writes that answers so, also on connections of nodes, unless it `carries` nothing. */
  readonly next = Effect.fnUntraced(
    { self: this },
    function* (
      this: WritingNodes,
      answer: Answering,
      { carries = true }: { readonly carries?: boolean } = {}
    ): Effect.fn.Return<Bun.Server<OwnSocket>, never, Settings | Scope.Scope> {
      const { cluster } = yield* Settings
      if (cluster === undefined) throw new Error("CLUSTER is off")
      const credential = makeCredential(cluster.secret)
      const take = (request: Request, caller: Peer | undefined) => {
        this.#arrival()
        this.keys.push(request.headers.get("idempotency-key"))
        this.callers.push(caller)
        return answer(request)
      }
      const carriers = new RequestCarriers()
      const takeCarried = (carried: CarriedRequest, caller: Peer, give: (response: CarriedResponse) => void) => {
        this.carried += 1
        this.sendings.push(carried.sending)
        const { headers, method, url, whole } = carried
        const request = new Request(url, { method, headers: [...headers], body: whole })
        void Promise.resolve(take(request, caller)).then(inTurnsWhole).then(give)
      }
      const node = yield* Effect.acquireRelease(
        Effect.sync(() =>
          Bun.serve<OwnSocket>({
            port: 0,
            fetch: (request, server) => {
              if (pathOf(request) !== REQUESTS) return take(request, callerOf(request, credential))
              const connection = request.headers.get(CONNECTION) ?? ""
              const data = carrierSocket({ carriers, connection }, takeCarried)
              const isCarrier = carries && server.upgrade(request, { data })
              return isCarrier ? undefined : new Response(null, { status: 404 })
            },
            websocket: {
              open: (socket) => socket.data.listener.open(socket as never),
              message: (socket, message) => socket.data.listener.message(socket as never, message),
              close: (socket, code, reason) => socket.data.listener.close(socket as never, code, reason)
            }
          })
        ),
        (server) => Effect.promise(() => server.stop(true))
      )
      this.goTo(`127.0.0.1:${node.port}`)
      return node
    }
  )

  goTo(address: string): void {
    const before = this.#end
    this.#end = Deferred.makeUnsafe()
    if (Deferred.isDoneUnsafe(this.#current)) this.#current = Deferred.makeUnsafe()
    const writer = { address, holder: address, term: 1n, isServing: true, replaced: Deferred.await(this.#end) }
    this.#now = writer
    Deferred.doneUnsafe(this.#current, Effect.succeed(writer))
    Deferred.doneUnsafe(before, Effect.void)
  }
}

const SETTINGS = Settings.layerOf({
  APP_MODE: "sandbox",
  CLUSTER: "on",
  NODE_ADDRESS: "127.0.0.1:7100",
  CLUSTER_SECRET: "a secret of thirty-two characters",
  PUBLIC_URL: "http://emporion.example",
  DATABASE_URL: "postgresql://emporion@db/emporion"
})

export const peer = { address: "192.0.2.7", port: 4711 }
const noServer = {} as RuntimeServer<unknown>

/** What forwards to the nodes, built anew. */
export const forwardingTo = (nodes: WritingNodes) =>
  Layer.fresh(Forwarding.layer).pipe(Layer.provide(nodes.layer), Layer.provideMerge(SETTINGS))

type Body = (nodes: WritingNodes) => Effect.Effect<void, never, Forwarding | Settings | Scope.Scope>

/** A test of what forwards to nodes that take turns. */
export const withWritingNodes = (name: string, body: Body) =>
  itLive(name, () =>
    Effect.suspend(() => {
      const nodes = new WritingNodes()
      return Effect.scoped(body(nodes)).pipe(Effect.provide(forwardingTo(nodes)))
    })
  )

/** What a caller's request is answered. */
export const forwarded = (request: Request) =>
  Effect.flatMap(Forwarding, ({ answer }) =>
    Effect.promise(() =>
      answer(request, peer, noServer).then((response) => response ?? new Response("upgraded", { status: 101 }))
    )
  )

export const asked = (method: string, path: string, headers: Record<string, string> = {}) =>
  Effect.suspend(() =>
    forwarded(
      new Request(`http://emporion.example${path}`, { method, headers, ...(method === "POST" ? { body: "{}" } : {}) })
    )
  )

export const COMMIT = "/api/arena/commitments"
