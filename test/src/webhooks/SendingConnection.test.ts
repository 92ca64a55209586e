import { describe, expect } from "bun:test"
import { Effect } from "effect"
import type { Scope } from "effect"
import { connect } from "node:net"
import type { Socket } from "node:net"
import { SendingConnection } from "../../../src/webhooks/SendingConnection.ts"
import { itLive } from "../../lib/Effects.ts"
import { rawReceiver } from "../../lib/WebhookReceiver.ts"

const OK = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok"

/** A connection to a server that does so for each request, and what was heard of it. */
const connected = (answer: (socket: Socket) => void) =>
  Effect.gen(function* () {
    const port = yield* rawReceiver(answer)
    const heard: Array<string> = []
    const closed = Promise.withResolvers<void>()
    const connection = yield* Effect.acquireRelease(
      Effect.sync(
        () =>
          new SendingConnection(
            connect({ port, host: "127.0.0.1" }),
            "connect",
            () => void heard.push("free"),
            () => {
              heard.push("closed")
              closed.resolve()
            }
          )
      ),
      (open) => Effect.sync(() => open.destroy())
    )
    return { closed: Effect.promise(() => closed.promise), connection, heard }
  })

/** Sends, and ends with the answer. */
const sent = (connection: SendingConnection, heard: Array<string>): Effect.Effect<void, never, Scope.Scope> =>
  Effect.callback<void>((resume) => {
    connection.send("POST / HTTP/1.1\r\ncontent-length: 0\r\n\r\n", {
      onHead: (status) => void heard.push(String(status)),
      onBody: (bytes) => void heard.push(Buffer.from(bytes).toString()),
      onEnd: () => {
        heard.push("end")
        resume(Effect.void)
      },
      onFailure: (error) => {
        heard.push("code" in error ? String(error.code) : error.message)
        resume(Effect.void)
      }
    })
  })

describe("SendingConnection", () => {
  itLive("is free again after each answer", () =>
    Effect.gen(function* () {
      const { connection, heard } = yield* connected((socket) => void socket.write(OK))
      expect(connection.isReused).toBe(false)
      yield* sent(connection, heard)
      expect(connection.isReused).toBe(true)
      yield* sent(connection, heard)
      expect(heard).toEqual(["200", "ok", "free", "end", "200", "ok", "free", "end"])
    })
  )

  itLive("tells that it broke before the answer was complete", () =>
    Effect.gen(function* () {
      const { closed, connection, heard } = yield* connected((socket) => void socket.end(OK.slice(0, -1)))
      yield* sent(connection, heard)
      yield* closed
      expect(heard.slice(0, 4)).toEqual(["200", "o", "closed", "ECONNRESET"])
    })
  )

  itLive("is closed by what nobody asked for", () =>
    Effect.gen(function* () {
      let other: Socket | undefined
      const { closed, connection, heard } = yield* connected((socket) => {
        other = socket
        socket.write(OK)
      })
      yield* sent(connection, heard)
      other?.write(OK)
      yield* closed
      expect(heard.slice(0, 5)).toEqual(["200", "ok", "free", "end", "closed"])
    })
  )

  itLive("tells nothing more once it is destroyed", () =>
    Effect.gen(function* () {
      const { closed, connection, heard } = yield* connected(() => undefined)
      yield* Effect.forkScoped(sent(connection, heard))
      yield* Effect.yieldNow
      connection.destroy()
      yield* closed
      expect(heard).toEqual(["closed"])
    })
  )
})
