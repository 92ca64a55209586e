import { Layer } from "effect"
import { readFileSync } from "node:fs"
import { setTimeout as delay } from "node:timers/promises"
import {
  type ListenOptions,
  type RuntimeServer,
  ServerRuntime,
  type SocketListener,
  type UpgradeOptions
} from "../ServerRuntime.ts"
import { ClosedConnections } from "./ClosedConnections.ts"
import { deno, type DenoHttpServer } from "./DenoApi.ts"
import { DenoSocket, Topics } from "./DenoSocket.ts"

/** Seconds of silence after which a WebSocket is closed; it is pinged after half of them. */
const SILENCE_SECONDS = 30

/** Longest that a stop waits for WebSockets to be told, and for connections to end, in milliseconds. */
const SENDING_LIMIT = 200
const END_LIMIT = 2_000
const SENDING_POLL = 5

const PROTOCOL = "sec-websocket-protocol"

const tlsOf = <Data>({ tls }: ListenOptions<Data>) =>
  tls === undefined ? {} : { cert: readFileSync(tls.certificateFile, "utf8"), key: readFileSync(tls.keyFile, "utf8") }

/** An answer whose body breaks off, with which Deno ends the connection. */
const cut = (): Response =>
  new Response(new ReadableStream({ pull: (controller) => controller.error(undefined) }), {
    status: 400,
    headers: { connection: "close" }
  })

/** A server of Deno, and the WebSockets that it was asked to make. */
class DenoServer<Data> implements RuntimeServer<Data> {
  readonly protocol: string
  pendingRequests = 0
  readonly #options: ListenOptions<Data>
  readonly #listener: SocketListener<Data>
  readonly #server: DenoHttpServer
  readonly #topics = new Topics()
  readonly #closed = new ClosedConnections()
  /** WebSockets that have not ended. */
  #open = 0
  /** The 101 of requests that were upgraded and not answered yet. */
  readonly #upgraded = new WeakMap<Request, Response>()

  constructor(options: ListenOptions<Data>) {
    this.#options = options
    const { sockets } = options
    this.#listener = {
      ...sockets,
      ended: (socket) => {
        this.#open -= 1
        sockets.ended(socket)
      }
    }
    this.protocol = options.tls === undefined ? "http" : "https"
    this.#server = deno.serve(
      {
        port: options.port,
        hostname: options.hostname,
        onError: options.failed,
        onListen: () => undefined,
        ...tlsOf(options)
      },
      (request, { remoteAddr: { hostname, port } }) => this.#answer(request, hostname, port)
    )
  }

  get port(): number {
    return this.#server.addr.port
  }

  upgrade(request: Request, { data, headers }: UpgradeOptions<Data>): boolean {
    const { maxBufferedBytes } = this.#options
    try {
      const { response, socket } = deno.upgradeWebSocket(request, { idleTimeout: SILENCE_SECONDS })
      for (const [name, value] of Object.entries(headers)) {
        if (name !== PROTOCOL || value !== "") response.headers.set(name, value)
      }
      this.#open += 1
      DenoSocket.listen(socket, data, this.#listener, this.#topics, maxBufferedBytes)
      this.#upgraded.set(request, response)
      return true
    } catch {
      return false
    }
  }

  publish(topic: string, text: string): void {
    this.#topics.publish(topic, text)
  }

  /** Deno would close every WebSocket at once: connections are taken until all of it is to end. */
  async stop(isAtOnce = false): Promise<void> {
    if (!isAtOnce) return
    for (let waited = 0; this.#open > 0 && waited < SENDING_LIMIT; waited += SENDING_POLL) await delay(SENDING_POLL)
    await Promise.race([this.#server.shutdown(), delay(END_LIMIT)])
  }

  #answer(request: Request, address: string, port: number): Response | Promise<Response> {
    if (this.#closed.take(address, port, performance.now())) return cut()
    this.pendingRequests += 1
    const answered = this.#options.answer(request, { address, port }, this)
    if (!(answered instanceof Promise)) {
      return this.#answered(answered, address, port)
    }
    return answered.then(
      (response) => this.#answered(response ?? this.#upgraded.get(request) ?? this.#options.failed(), address, port),
      () => this.#answered(this.#options.failed(), address, port)
    )
  }

  #answered(response: Response, address: string, port: number): Response {
    this.pendingRequests -= 1
    if (response.headers.get("connection") === "close") this.#closed.add(address, port, performance.now())
    return response
  }
}

/** HTTP and WebSocket on Deno. */
export const layer: Layer.Layer<ServerRuntime> = Layer.succeed(
  ServerRuntime,
  ServerRuntime.of({ listen: (options) => new DenoServer(options) })
)
