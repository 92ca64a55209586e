import type { Server, ServerWebSocket } from "bun"
import { Layer } from "effect"
import {
  type ListenOptions,
  type Peer,
  type RuntimeServer,
  ServerRuntime,
  type SocketListener
} from "../ServerRuntime.ts"

const NOWHERE: Peer = { address: "", port: 0 }

/** Bodies above the platform's own limit are refused before they are read; this only stops the runtime's bare answer. */
const MAX_BODY_BYTES = Number.MAX_SAFE_INTEGER

const tlsOf = <Data>({ tls }: ListenOptions<Data>) =>
  tls === undefined ? {} : { tls: { cert: Bun.file(tls.certificateFile), key: Bun.file(tls.keyFile) } }

const websocketOf = <Data>({ maxBufferedBytes, maxMessageBytes, sockets }: ListenOptions<Data>) => {
  const { close, drain, ended, message, open, pong }: SocketListener<Data> = sockets
  return {
    maxPayloadLength: maxMessageBytes,
    backpressureLimit: maxBufferedBytes,
    sendPings: true,
    open,
    message,
    drain,
    close: (socket: ServerWebSocket<Data>, code: number, reason: string) => {
      ended(socket)
      close(socket, code, reason)
    },
    pong: (socket: ServerWebSocket<Data>, data: Buffer) => pong(socket, data.toString("latin1"))
  }
}

/** The server as it is: its types alone cannot tell that any data may be given to an upgrade. */
const asPort = <Data>(server: Server<Data>): RuntimeServer<Data> => server as never

/** Listens by Bun's own server. */
const listen = <Data>(options: ListenOptions<Data>): RuntimeServer<Data> => {
  const { answer } = options
  const server = Bun.serve<Data>({
    port: options.port,
    hostname: options.hostname,
    idleTimeout: options.idleSeconds,
    maxRequestBodySize: MAX_BODY_BYTES,
    fetch: (request: Request, server: Server<Data>) =>
      answer(request, server.requestIP(request) ?? NOWHERE, asPort(server)),
    websocket: websocketOf(options),
    error: options.failed,
    ...tlsOf(options)
  })
  return asPort(server)
}

/** HTTP and WebSocket on Bun. */
export const layer: Layer.Layer<ServerRuntime> = Layer.succeed(ServerRuntime, ServerRuntime.of({ listen }))
