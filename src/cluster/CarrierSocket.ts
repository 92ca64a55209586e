/** What the node that writes answers on the connection of another node, on which its callers' requests go together. */

import type { RequestCarriers } from "../../engine/cluster/RequestCarriers.ts"
import { type NamedSending, requestName } from "../../engine/cluster/RequestName.ts"
import type { CarriedResponse, Peer } from "../runtime/ServerRuntime.ts"
import { CarriedRequest, RequestOutline } from "./CarriedRequest.ts"
import { ResponseOutlines, sentResponse } from "./CarriedResponse.ts"
import { decodeRequests, encodeResponses, type HeardRequest, type SentResponse } from "./ForwardedFrame.ts"
import { GatheredSending } from "./GatheredSending.ts"
import type { OwnSocket } from "./LocalApp.ts"
import { HeardOutlines, SaidOutlines } from "./Outlines.ts"

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
const sendingOf = (
  { connection, isAwaited }: Pick<Carrying, "connection"> & Pick<NamedSending, "isAwaited">,
  { behind, id, name }: HeardRequest<RequestOutline>
): NamedSending | undefined => {
  if (name !== undefined) return { name, isFirst: false, isAwaited }
  if (behind === undefined) return undefined
  return { name: requestName({ connection, number: id, behind }), isFirst: true, isAwaited }
}

/** Answers a request, and gives what it answered once. */
export type AnswerCarried = (request: CarriedRequest, caller: Peer, give: (response: CarriedResponse) => void) => void

/** The connection of one node. Each request is answered by itself: none waits for the others of its message. */
export const carrierSocket = ({ carriers, connection }: Carrying, answer: AnswerCarried): OwnSocket => {
  let send: (responses: ReadonlyArray<SentResponse>) => void = () => undefined
  const gathered = new GatheredSending<SentResponse>((responses) => send(responses))
  const [heard, said] = [new HeardOutlines((outline) => new RequestOutline(outline)), new SaidOutlines()]
  const outlines = new ResponseOutlines()
  let isUnreadable = false
  const awaiting = { connection, isAwaited: () => carriers.isOpen(connection) }
  const gather = (response: SentResponse): void => gathered.add(response)
  const fail = (id: number): void => gather({ id, status: FAILED, outline: "", values: [], body: "" })
  const give = (id: number, response: CarriedResponse): void => {
    let sent: SentResponse | Promise<SentResponse>
    try {
      sent = sentResponse(id, response, outlines)
    } catch {
      return fail(id)
    }
    if (sent instanceof Promise) void sent.then(gather, () => fail(id))
    else gather(sent)
  }
  /** One that cannot be answered does not take the others' answers along. */
  const take = (sent: HeardRequest<RequestOutline>): void => {
    const { address, id, port } = sent
    // What came twice, or on a connection that is over, is answered where it was sent again.
    if (!carriers.takes(connection, id)) return
    try {
      const request = new CarriedRequest(sent, sendingOf(awaiting, sent))
      answer(request, { address, port }, (response) => give(id, response))
    } catch {
      fail(id)
    }
  }
  return {
    listener: {
      open: (socket) => {
        if (!carriers.open(connection, () => socket.close(TRY_LATER))) return socket.close(UNREADABLE)
        send = (responses) => {
          // What is dropped nobody waits for: the other node asks again where it may.
          if (socket.send(encodeResponses(responses, said)) === 0) socket.close(TRY_LATER)
        }
      },
      message: (socket, message) => {
        if (isUnreadable) return
        const requests = decodeRequests(String(message), heard)
        if (requests === undefined) {
          // What comes before the connection is closed may name outlines that were not heard.
          isUnreadable = true
          return socket.close(UNREADABLE)
        }
        for (const request of requests) take(request)
      },
      pong: () => undefined,
      drain: () => undefined,
      close: () => carriers.closed(connection),
      ended: () => undefined
    }
  }
}
