/** What the node that writes answers on the connection of another node, on which its callers' requests go together. */

import type { Peer } from "../runtime/ServerRuntime.ts"
import { CarriedRequest, sentResponse } from "./CarriedRequest.ts"
import { decodeRequests, encodeResponses, type SentRequest, type SentResponse } from "./ForwardedFrame.ts"
import { GatheredSending } from "./GatheredSending.ts"
import type { OwnSocket } from "./LocalApp.ts"

/** RFC 6455, 7.4.1: data that is not what it should be, and: connect again. */
const UNREADABLE = 1007
const TRY_LATER = 1013

/** The answer to a request that nothing could be made of. */
const FAILED = 500

/** The connection of one node. Each request is answered by itself: none waits for the others of its message. */
export const carrierSocket = (answer: (request: Request, caller: Peer) => Response | Promise<Response>): OwnSocket => {
  let send: (responses: ReadonlyArray<SentResponse>) => void = () => undefined
  const gathered = new GatheredSending<SentResponse>((responses) => send(responses))
  const answered = async (sent: SentRequest): Promise<SentResponse> => {
    const { address, id, port } = sent
    return sentResponse(id, await answer(new CarriedRequest(sent), { address, port }))
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
