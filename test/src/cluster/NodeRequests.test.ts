import { describe, expect, it } from "bun:test"
import { Redacted } from "effect"
import { decodeResponses, encodeRequests, type SentRequest } from "../../../src/cluster/ForwardedFrame.ts"
import { RequestCarriers } from "../../../engine/cluster/RequestCarriers.ts"
import { CONNECTION, ELSEWHERE, LAST, nodeHeaders, REQUESTS } from "../../../src/cluster/ForwardedRequest.ts"
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
    carriers: new RequestCarriers(),
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

/** The headers of a connection with a name. */
const named = (name = "a.1"): Headers => {
  const headers = nodeHeaders(credential)
  headers.set(CONNECTION, name)
  return headers
}

/** Opens it, and asks for what the node answers on it. */
const asking = (socket: OwnSocket | undefined) => {
  let answer: (given: unknown) => void = () => undefined
  const end = {
    send: (text: string) => {
      answer(decodeResponses(text))
      return text.length
    },
    close: (code: number) => answer(code)
  } as unknown as RuntimeSocket<unknown>
  socket?.listener.open(end as never)
  return (request: SentRequest) =>
    new Promise<unknown>((resolve) => {
      answer = resolve
      socket?.listener.message(end as never, encodeRequests([request]))
    })
}

describe("The connection for callers' requests", () => {
  it("is refused to whoever shows no credential of the nodes, and to callers", async () => {
    const forged = nodeHeaders(makeCredential(Redacted.make("another secret of thirty-two chars")))
    forged.set(CONNECTION, "a.1")
    for (const headers of [new Headers(), forged]) {
      const { response, socket } = await connecting({ isListening: true }, headers)
      expect([response?.status, socket]).toEqual([403, undefined])
    }
  })

  it("is had elsewhere where the node does not write", async () => {
    const { response, socket } = await connecting({ isListening: false }, named())
    expect([response?.headers.has(ELSEWHERE), socket]).toEqual([true, undefined])
  })

  it("is refused without a name", async () => {
    for (const headers of [nodeHeaders(credential), named("a/b")]) {
      const { response, socket } = await connecting({ isListening: true }, headers)
      expect([response?.status, socket]).toEqual([400, undefined])
    }
  })

  it("answers each as if its caller had asked here, and says that a connection ends", async () => {
    const app = { isListening: true }
    const { response, seen, socket } = await connecting(app, named())
    expect(response).toBeUndefined()
    const ask = asking(socket)
    const [taken] = (await ask(CARRIED)) as ReadonlyArray<Record<string, unknown>>
    expect(taken).toMatchObject({ id: 7, status: 200, body: "taken" })
    expect(Object.fromEntries(taken?.["headers"] as Array<[string, string]>)).toMatchObject({ [LAST]: "true" })
    expect(seen).toEqual([["/api/arena/commitments", { address: "192.0.2.7", port: 4711 }, "{}"]])
    app.isListening = false
    const [left] = (await ask({ ...CARRIED, id: 8 })) as ReadonlyArray<Record<string, unknown>>
    expect(Object.fromEntries(left?.["headers"] as Array<[string, string]>)).toHaveProperty(ELSEWHERE)
    expect(seen).toHaveLength(1)
  })
})
