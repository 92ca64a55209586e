/** What the node that writes answers on the connection of another node, on which its callers' requests go together. */

import { decodeRequests, encodeResponses, type SentRequest, type SentResponse } from "./ForwardedFrame.ts"
import { GatheredSending } from "./GatheredSending.ts"
import type { OwnSocket } from "./LocalApp.ts"

/** RFC 6455, 7.4.1: data that is not what it should be, and: connect again. */
const UNREADABLE = 1007
const TRY_LATER = 1013

/** The answer to a request that nothing could be made of. */
const FAILED = 500

const sentResponse = async (id: number, response: Response): Promise<SentResponse> => {
  const { headers, status } = response
  return { id, status, headers: [...headers], body: await response.text() }
}

/** The connection of one node. Each request is answered by itself: none waits for the others of its message. */
export const carrierSocket = (answer: (request: Request) => Response | Promise<Response>): OwnSocket => {
  let send: (responses: ReadonlyArray<SentResponse>) => void = () => undefined
  const gathered = new GatheredSending<SentResponse>((responses) => send(responses))
  const answered = async ({ body, headers, id, method, path }: SentRequest): Promise<SentResponse> => {
    const fields = headers.map(([name, value]): [string, string] => [name, value])
    const request = new Request(`http://node${path}`, { method, headers: fields, body: Buffer.from(body) })
    return sentResponse(id, await answer(request))
  }
  /** One that cannot be answered does not take the others' answers along. */
  const take = async (request: SentRequest): Promise<void> => {
    const { id } = request
    gathered.add(await answered(request).catch(() => ({ id, status: FAILED, headers: [], body: "" })))
  }
  return {
    listener: {
      open: (socket) => {
        send = (responses) => {
          // What is dropped nobody waits for: the other node asks again where it may.
          if (socket.send(encodeResponses(responses)) === 0) socket.close(TRY_LATER)
        }
      },
      message: (socket, message) => {
        const requests = decodeRequests(String(message))
        if (requests === undefined) return socket.close(UNREADABLE)
        for (const request of requests) void take(request)
      },
      pong: () => undefined,
      drain: () => undefined,
      close: () => undefined,
      ended: () => undefined
    }
  }
}
