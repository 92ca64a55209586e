/** What the node that writes answers on the connection of another node, on which its callers' requests go together. */

import type { RequestCarriers } from "../../engine/cluster/RequestCarriers.ts"
import { type NamedSending, requestName } from "../../engine/cluster/RequestName.ts"
import { nameRequest } from "../http/NamedRequests.ts"
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

/** A connection of another node, and all that there are. */
export interface Carrying {
  /** Its name, which no other connection has. */
  readonly connection: string
  readonly carriers: RequestCarriers
}

/** How the other node names a request whose caller gave no key. */
const sendingOf = ({ carriers, connection }: Carrying, { behind, id, name }: SentRequest): NamedSending | undefined => {
  const isAwaited = (): boolean => carriers.isOpen(connection)
  if (name !== undefined) return { name, isFirst: false, isAwaited }
  if (behind === undefined) return undefined
  return { name: requestName({ connection, number: id, behind }), isFirst: true, isAwaited }
}

/** The connection of one node. Each request is answered by itself: none waits for the others of its message. */
export const carrierSocket = (
  carrying: Carrying,
  answer: (request: Request, caller: Peer) => Response | Promise<Response>
): OwnSocket => {
  const { carriers, connection } = carrying
  let send: (responses: ReadonlyArray<SentResponse>) => void = () => undefined
  const gathered = new GatheredSending<SentResponse>((responses) => send(responses))
  const answered = async (sent: SentRequest): Promise<SentResponse> => {
    const { address, id, port } = sent
    const request = new CarriedRequest(sent)
    const sending = sendingOf(carrying, sent)
    if (sending !== undefined) nameRequest(request, sending)
    return sentResponse(id, await answer(request, { address, port }))
  }
  /** One that cannot be answered does not take the others' answers along. */
  const take = async (request: SentRequest): Promise<void> => {
    const { id } = request
    // What came twice, or on a connection that is over, is answered where it was sent again.
    if (!carriers.takes(connection, id)) return
    gathered.add(await answered(request).catch(() => ({ id, status: FAILED, headers: [], body: "" })))
  }
  return {
    listener: {
      open: (socket) => {
        if (!carriers.open(connection, () => socket.close(TRY_LATER))) return socket.close(UNREADABLE)
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
      close: () => carriers.closed(connection),
      ended: () => undefined
    }
  }
}
