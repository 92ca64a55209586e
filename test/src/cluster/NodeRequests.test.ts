import { describe, expect, it } from "bun:test"
import { Redacted } from "effect"
import { decodeResponses, encodeRequests, type SentRequest } from "../../../src/cluster/ForwardedFrame.ts"
import { ELSEWHERE, LAST, nodeHeaders, REQUESTS } from "../../../src/cluster/ForwardedRequest.ts"
import type { LocalApp, OwnSocket } from "../../../src/cluster/LocalApp.ts"
import { make as makeCredential } from "../../../src/cluster/NodeCredential.ts"
import { answerNode, type NodeParts } from "../../../src/cluster/NodeRequests.ts"
import type { RuntimeServer, RuntimeSocket } from "../../../src/runtime/ServerRuntime.ts"

const credential = makeCredential(Redacted.make("a secret of thirty-two characters"))

const CARRIED: SentRequest = {
  id: 7,
  method: "POST",
  path: "/api/arena/commitments",
  address: "192.0.2.7",
  port: 4711,
  headers: [["content-type", "application/json"]],
  body: "{}"
}

/** A node's connection for its callers' requests, as far as it comes. */
const connecting = async (app: { isListening: boolean }, headers: Headers) => {
  const seen: Array<unknown> = []
  const given: { socket?: OwnSocket } = {}
  const parts = {
    app: {
      get isListening() {
        return app.isListening
      },
      answer: async (request: Request, caller: unknown) => {
        seen.push([new URL(request.url).pathname, caller, await request.text()])
        return new Response("taken", { headers: { connection: "close" } })
      }
    } as unknown as LocalApp,
    credential
  } as NodeParts
  const server = {
    upgrade: (_: Request, { data }: { readonly data: OwnSocket }) => {
      given.socket = data
      return true
    }
  } as unknown as RuntimeServer<unknown>
  const response = await answerNode(parts, new Request(`http://node${REQUESTS}`, { headers }), REQUESTS, server)
  return { response, seen, socket: given.socket }
}

/** What the node answers on it. */
const answerOn = (socket: OwnSocket | undefined, request: SentRequest) =>
  new Promise<unknown>((resolve) => {
    const end = {
      send: (text: string) => {
        resolve(decodeResponses(text))
        return text.length
      },
      close: resolve
    } as unknown as RuntimeSocket<unknown>
    socket?.listener.open(end as never)
    socket?.listener.message(end as never, encodeRequests([request]))
  })

describe("The connection for callers' requests", () => {
  it("is refused to whoever shows no credential of the nodes, and to callers", async () => {
    const forged = nodeHeaders(makeCredential(Redacted.make("another secret of thirty-two chars")))
    for (const headers of [new Headers(), forged]) {
      const { response, socket } = await connecting({ isListening: true }, headers)
      expect([response?.status, socket]).toEqual([403, undefined])
    }
  })

  it("is had elsewhere where the node does not write", async () => {
    const { response, socket } = await connecting({ isListening: false }, nodeHeaders(credential))
    expect([response?.headers.has(ELSEWHERE), socket]).toEqual([true, undefined])
  })

  it("answers each as if its caller had asked here, and says that a connection ends", async () => {
    const app = { isListening: true }
    const { response, seen, socket } = await connecting(app, nodeHeaders(credential))
    expect(response).toBeUndefined()
    const [taken] = (await answerOn(socket, CARRIED)) as ReadonlyArray<Record<string, unknown>>
    expect(taken).toMatchObject({ id: 7, status: 200, body: "taken" })
    expect(Object.fromEntries(taken?.["headers"] as Array<[string, string]>)).toMatchObject({ [LAST]: "true" })
    expect(seen).toEqual([["/api/arena/commitments", { address: "192.0.2.7", port: 4711 }, "{}"]])
    app.isListening = false
    const [left] = (await answerOn(socket, { ...CARRIED, id: 8 })) as ReadonlyArray<Record<string, unknown>>
    expect(Object.fromEntries(left?.["headers"] as Array<[string, string]>)).toHaveProperty(ELSEWHERE)
    expect(seen).toHaveLength(1)
  })
})
