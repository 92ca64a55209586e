import { Context } from "effect"
import type { NamedSending } from "../../engine/cluster/RequestName.ts"

/** The other end of a connection. */
export interface Peer {
  readonly address: string
  readonly port: number
}

/** A request as far as whoever answers it looks at it: the runtime's own, or a {@link CarriedRequest}. */
export interface ArrivedRequest {
  readonly method: string
  readonly url: string
  /** Names are asked for in lower case. */
  readonly headers: Pick<Headers, "get">
  /** The token of its `Authorization`, where somebody has read it before. */
  readonly bearer?: string | undefined
  /** Its caller has gone; not there where nobody would say so. */
  readonly signal?: AbortSignal
}

/** A request that shared a message with others, of which the runtime made nothing. */
export interface CarriedRequest extends ArrivedRequest {
  /** Its body. */
  readonly whole: string
  /** The name by which it is executed once, which another node gave it; undefined where it gave none. Callers cannot say so. */
  readonly sending: NamedSending | undefined
  /** The same as code takes it that knows the runtime's requests alone: method, URL, headers and the body's bytes. */
  readonly source: Request
}

/** The answer to one: the runtime's own, or what it would be made of. */
export type CarriedResponse = Response | WholeResponse

/** A response with all its headers, which have names in lower case. */
export interface WholeResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array<ArrayBuffer> | undefined
}

/** An open WebSocket connection. */
export interface RuntimeSocket<Data> {
  /** What the upgrade gave it. */
  readonly data: Data
  /** As the constants of `WebSocket` name it. */
  readonly readyState: number
  /** Answers 0 where the message was dropped. */
  readonly send: (message: string | Uint8Array<ArrayBuffer>) => number
  /** Sends what `act` sends in as few packets as the runtime can. */
  readonly cork: (act: () => void) => unknown
  /** From now on gets what is published under a topic. */
  readonly subscribe: (topic: string) => unknown
  readonly unsubscribe: (topic: string) => unknown
  /** Bytes that wait to be sent. */
  readonly getBufferedAmount: () => number
  readonly ping: (data: string) => unknown
  /** Set where the runtime pings whoever is silent, and closes who does not answer: `ping` does nothing there. */
  readonly pingsByItself?: true
  readonly close: (code: number, reason?: string) => void
}

/** What hears of WebSocket connections. The callbacks run on the event loop and must not throw or wait. */
export interface SocketListener<Data> {
  readonly open: (socket: RuntimeSocket<Data>) => void
  readonly message: (socket: RuntimeSocket<Data>, message: string | Uint8Array) => void
  /** The client answered a ping, with what the ping carried. */
  readonly pong: (socket: RuntimeSocket<Data>, data: string) => void
  /** The socket's buffer has room again. */
  readonly drain: (socket: RuntimeSocket<Data>) => void
  /** It was closed from either side: nothing more comes of it. */
  readonly close: (socket: RuntimeSocket<Data>, code: number, reason: string) => void
  /** The runtime holds nothing more for it, which may be later. */
  readonly ended: (socket: RuntimeSocket<Data>) => void
}

/** What an upgraded connection carries, and the headers of the 101. */
export interface UpgradeOptions<Data> {
  readonly data: Data
  readonly headers: Readonly<Record<string, string>>
}

/** A server that listens. */
export interface RuntimeServer<Data> {
  readonly port: number | undefined
  /** `http` or `https`. */
  readonly protocol: string | null
  /** Requests that have no answer yet. */
  readonly pendingRequests: number
  /**
   * Those of them that may change something. Only these hold the end up, where what they read with outlives the server;
   * elsewhere it is not told.
   */
  readonly pendingChanges?: number
  /** Makes a WebSocket of a request, whose answer is `undefined` then. False where the handshake is incomplete. */
  readonly upgrade: (request: Request, options: UpgradeOptions<Data>) => boolean
  /** Sends a text to all who subscribed to a topic. */
  readonly publish: (topic: string, text: string) => unknown
  /** Takes no more connections; with `true` it also ends those that are open. */
  readonly stop: (isAtOnce?: boolean) => Promise<void>
}

/** How a server is to listen. */
export interface ListenOptions<Data> {
  readonly port: number
  readonly hostname: string
  /** Files in PEM. */
  readonly tls: { readonly certificateFile: string; readonly keyFile: string } | undefined
  /** Seconds without a byte after which a connection is dropped. */
  readonly idleSeconds: number
  /** The largest WebSocket message, in bytes. */
  readonly maxMessageBytes: number
  /** Bytes that may wait for one WebSocket client before what is sent to it is dropped. */
  readonly maxBufferedBytes: number
  /** `undefined`: the request was upgraded. */
  readonly answer: (
    request: Request,
    peer: Peer,
    server: RuntimeServer<Data>
  ) => Response | Promise<Response | undefined>
  /** Answers a request that shares a message with others; without it there are none. */
  readonly answerCarried?: (
    request: CarriedRequest,
    peer: Peer
  ) => CarriedResponse | Promise<CarriedResponse | undefined>
  /** What a request is told whose answer threw. */
  readonly failed: () => Response
  readonly sockets: SocketListener<Data>
}

/** How the runtime listens for HTTP and WebSocket connections. */
export class ServerRuntime extends Context.Service<
  ServerRuntime,
  {
    /** Throws where the address or the certificate cannot be used. */
    readonly listen: <Data>(options: ListenOptions<Data>) => RuntimeServer<Data>
  }
>()("emporion/runtime/ServerRuntime") {}
