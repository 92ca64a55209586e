import { describe, expect, it } from "bun:test"
import { Redacted } from "effect"
import type { CarriedRequest } from "../../../src/cluster/CarriedRequest.ts"
import {
  decodeResponses,
  encodeRequests,
  type HeardResponse,
  type SentRequest
} from "../../../src/cluster/ForwardedFrame.ts"
import { RequestCarriers } from "../../../engine/cluster/RequestCarriers.ts"
import { CONNECTION, ELSEWHERE, LAST, nodeHeaders, REQUESTS } from "../../../src/cluster/ForwardedRequest.ts"
import type { LocalApp, OwnSocket } from "../../../src/cluster/LocalApp.ts"
import { make as makeCredential } from "../../../src/cluster/NodeCredential.ts"
import { answerNode, type NodeParts } from "../../../src/cluster/NodeRequests.ts"
import { fieldsOf, HeardOutlines, SaidOutlines } from "../../../src/cluster/Outlines.ts"
import type { CarriedResponse, RuntimeServer, RuntimeSocket } from "../../../src/runtime/ServerRuntime.ts"

const credential = makeCredential(Redacted.make("a secret of thirty-two characters"))

/** RFC 6455, 7.4.1. */
const UNREADABLE = 1007

const CARRIED: SentRequest = {
  id: 7,
  path: "/api/arena/commitments",
  address: "192.0.2.7",
  port: 4711,
  outline: "content-type:application/json\n",
  values: [],
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
      answerCarried: (request: CarriedRequest, caller: unknown, give: (response: CarriedResponse) => void) => {
        seen.push([new URL(request.url).pathname, caller, request.whole, request.headers.get("content-type")])
        give({ status: 200, headers: { connection: "close" }, body: "taken" })
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
  const said = new SaidOutlines()
  const heard = new HeardOutlines((outline) => ({ fields: fieldsOf(outline), open: 0 }))
  let answer: (given: unknown) => void = () => undefined
  const end = {
    send: (text: string) => {
      answer(decodeResponses(text, heard))
      return text.length
    },
    close: (code: number) => answer(code)
  } as unknown as RuntimeSocket<unknown>
  socket?.listener.open(end as never)
  return (request: SentRequest | string) =>
    new Promise<unknown>((resolve) => {
      answer = resolve
      const text = typeof request === "string" ? request : encodeRequests([request], said)
      socket?.listener.message(end as never, text)
    })
}

type Heard = HeardResponse<{ readonly fields: Iterable<readonly [string, unknown]>; readonly open: number }>

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
    const [taken] = (await ask(CARRIED)) as ReadonlyArray<Heard>
    expect(taken).toMatchObject({ id: 7, status: 200, body: "taken" })
    expect([...(taken?.outline.fields ?? [])]).toEqual([[LAST, "true"]])
    expect(seen).toEqual([["/api/arena/commitments", { address: "192.0.2.7", port: 4711 }, "{}", "application/json"]])
    app.isListening = false
    const [left] = (await ask({ ...CARRIED, id: 8 })) as ReadonlyArray<Heard>
    expect(Object.fromEntries(left?.outline.fields ?? [])).toHaveProperty(ELSEWHERE)
    expect(seen).toHaveLength(1)
  })

  it("is closed over a message that cannot be read, or that names headers which nobody said", async () => {
    for (const text of [
      "",
      "[]",
      "garbage\n",
      '[[1,1,[],2,"/","",1,null]]\n{}',
      '[[1,"a:b\\n",[],9,"/","",1,null]]\n{}'
    ]) {
      const { seen, socket } = await connecting({ isListening: true }, named())
      const ask = asking(socket)
      expect([text, await ask(text), seen]).toEqual([text, UNREADABLE, []])
    }
  })
})
