import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { listen } from "../../../src/cluster/NodeSocket.ts"
import { itLive } from "../../lib/Effects.ts"

const serving = Effect.acquireRelease(
  Effect.sync(() => {
    const tokens: Array<string | null> = []
    const server = Bun.serve({
      port: 0,
      fetch: (request, own) => {
        tokens.push(request.headers.get("x-token"))
        return own.upgrade(request) ? undefined : new Response(null, { status: 400 })
      },
      websocket: {
        message: (socket, message) => {
          if (message === "end") socket.close()
          else socket.send(`heard ${String(message)}`)
        }
      }
    })
    return { server, tokens }
  }),
  ({ server }) => Effect.promise(() => server.stop(true))
)

describe("A socket to another node", () => {
  itLive("shows its headers, hears frames, and completes when the other end closes it", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { server, tokens } = yield* serving
        const heard: Array<string> = []
        yield* listen(`ws://127.0.0.1:${server.port}`, new Headers({ "x-token": "t" }), {
          opened: (socket) => {
            socket.send("a")
            socket.send("end")
          },
          hear: (text) => heard.push(text)
        })
        expect([tokens, heard]).toEqual([["t"], ["heard a"]])
      })
    )
  )

  itLive("completes where nobody takes it", () => listen("ws://127.0.0.1:1", new Headers(), { hear: () => undefined }))
})
