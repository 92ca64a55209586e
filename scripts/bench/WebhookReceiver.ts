/** An endpoint of webhooks in a process of its own: answers at once, and never below `/hang`. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { serve } from "./Worker.ts"

/** Listens; answers its port. */
export interface StartReceiver {
  readonly kind: "start"
}

/** Forgets what came, and ends once so many came or nothing more is waited for. */
export interface Receive {
  readonly kind: "receive"
  readonly count: number
  /** Whether bodies are read for the time of their event. */
  readonly isTimed: boolean
  readonly timeout: number
}

export interface Receipt {
  readonly port: number
  readonly count: number
  /** Milliseconds from an event to its arrival, ascending; none where they are not read. */
  readonly delays: ReadonlyArray<number>
}

const state = { port: 0, count: 0, isTimed: false, wanted: 0, delays: [] as Array<number>, done: () => {} }

const arrived = (body: string): void => {
  state.count += 1
  if (state.isTimed) state.delays.push(Date.now() - Date.parse(/"created_at":"([^"]+)"/.exec(body)?.[1] ?? ""))
  if (state.count === state.wanted) state.done()
}

const start = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer((request, response) => {
      const parts: Array<Buffer> = []
      request.on("data", (part: Buffer) => parts.push(part))
      request.on("end", () => {
        if (request.url?.startsWith("/hang") === true) return
        arrived(state.isTimed ? Buffer.concat(parts).toString() : "")
        response.writeHead(200).end()
      })
    })
    server.keepAliveTimeout = 60_000
    server.listen({ port: 0, host: "127.0.0.1", backlog: 2_048 }, () => resolve((server.address() as AddressInfo).port))
  })

const receive = ({ count, isTimed, timeout }: Receive): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, timeout)
    Object.assign(state, { count: 0, isTimed, wanted: count, delays: [] })
    state.done = () => {
      clearTimeout(timer)
      resolve()
    }
  })

serve(async (request: StartReceiver | Receive): Promise<Receipt> => {
  if (request.kind === "start") state.port = await start()
  else await receive(request)
  return { port: state.port, count: state.count, delays: state.delays.toSorted((one, other) => one - other) }
})
