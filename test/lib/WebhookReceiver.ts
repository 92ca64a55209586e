import { Context, Effect, Layer } from "effect"
import type { Scope } from "effect"
import { createServer, type IncomingHttpHeaders, type Server } from "node:http"
import { createServer as createTlsServer } from "node:https"
import { createServer as createRawServer, type Socket } from "node:net"
import type { AddressInfo } from "node:net"
import { Settings } from "../../src/Config.ts"
import { NameResolver } from "../../src/webhooks/NameResolver.ts"
import { TrustedAuthorities } from "../../src/webhooks/SendingConnections.ts"
import { WebhookSender } from "../../src/webhooks/WebhookSender.ts"

/** A request as an endpoint received it. */
export interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** The port that it came from: the same for the same connection. */
  readonly from: number
}

/** An endpoint of a test's own. */
export interface WebhookReceiver {
  readonly port: number
  readonly url: string
  readonly received: Array<Received>
  /** Waits for a request that has not come yet. */
  readonly next: Effect.Effect<Received>
  /** How it answers from now on; by 200 and an empty body before. */
  readonly answer: (how: Answering) => void
}

/** Undefined: never. */
type Answering = (
  received: Received
) => { readonly status: number; readonly body?: string; readonly headers?: Record<string, string> } | undefined

const listening = (server: Server | ReturnType<typeof createRawServer>): Effect.Effect<number, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.callback<number>((resume) => {
      server.listen(0, "127.0.0.1", () => resume(Effect.succeed((server.address() as AddressInfo).port)))
    }),
    () =>
      Effect.sync(() => {
        if ("closeAllConnections" in server) server.closeAllConnections()
        server.close()
      })
  )

/** Receives on this machine, with TLS where a certificate is given. */
export const webhookReceiver = (tls?: { readonly key: string; readonly cert: string }) =>
  Effect.gen(function* () {
    const received: Array<Received> = []
    const waiting: Array<(one: Received) => void> = []
    let answering: Answering = () => ({ status: 200 })
    const server = tls === undefined ? createServer() : createTlsServer({ ...tls })
    server.on("request", (request, response) => {
      const parts: Array<Buffer> = []
      request.on("data", (part: Buffer) => parts.push(part))
      request.on("end", () => {
        const one: Received = {
          path: request.url ?? "",
          headers: request.headers,
          body: Buffer.concat(parts).toString(),
          from: request.socket.remotePort ?? 0
        }
        received.push(one)
        for (const tell of waiting.splice(0)) tell(one)
        const answer = answering(one)
        if (answer !== undefined) response.writeHead(answer.status, answer.headers).end(answer.body)
      })
    })
    const port = yield* listening(server)
    const url = `${tls === undefined ? "http" : "https"}://127.0.0.1:${port}`
    const next = Effect.callback<Received>((resume) => void waiting.push((one) => resume(Effect.succeed(one))))
    const receiver: WebhookReceiver = { port, url, received, next, answer: (how) => void (answering = how) }
    return receiver
  })

/** A port at which each connection is handed to the test. */
export const rawReceiver = (onRequest: (socket: Socket) => void) =>
  listening(
    createRawServer((socket) => {
      socket.on("error", () => undefined)
      socket.on("data", () => onRequest(socket))
    })
  )

/** What a resolver made of a table answers: a list of answers is gone through, the last one staying. */
type Names = Readonly<Record<string, ReadonlyArray<ReadonlyArray<string>>>>

/** Resolves by a table, each look-up taking the next answer; counts what it is asked. */
export const resolverOf = (names: Names) => {
  const asked: Array<string> = []
  const resolver = NameResolver.of({
    resolve: (name, done) => {
      const answers = names[name] ?? []
      const turn = asked.filter((each) => each === name).length
      asked.push(name)
      const found = answers[Math.min(turn, answers.length - 1)]
      if (found === undefined) return done(Object.assign(new Error(name), { code: "ENOTFOUND" }), [])
      return done(null, found)
    }
  })
  return { asked, resolver }
}

interface SenderOptions {
  readonly variables?: Readonly<Record<string, string>>
  readonly resolver?: NameResolver["Service"]
  readonly certificates?: ReadonlyArray<string>
}

/** A sender that may send to this machine unless other settings are given. */
export const testSender = ({ certificates = [], resolver = NameResolver.system, variables }: SenderOptions = {}) =>
  Effect.map(
    Layer.build(
      WebhookSender.layerWithout.pipe(
        Layer.provide(Settings.layerOf(variables ?? { WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8" })),
        Layer.provide(Layer.succeed(NameResolver, resolver)),
        Layer.provide(Layer.succeed(TrustedAuthorities, { certificates }))
      )
    ),
    (context) => Context.get(context, WebhookSender)
  )
