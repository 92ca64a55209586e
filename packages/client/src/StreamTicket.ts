import { apiErrorOf } from "./ApiError.ts"
import type { ClientPlatform } from "./ClientPlatform.ts"
import type { StreamTicket } from "./Contract.ts"
import type { TokenSource } from "./Credentials.ts"

/** A ticket for one connection to the stream, got with an access token. Rejects with an `ApiError` where it is refused. */
export const ticketFor = async (server: string, token: TokenSource, { fetch }: ClientPlatform): Promise<string> => {
  const bearer = typeof token === "string" ? token : await token()
  const url = new URL(server)
  url.protocol = url.protocol.replace("ws", "http")
  const response = await fetch(new URL("/api/arena/stream/ticket", url).href, {
    method: "POST",
    headers: { authorization: `Bearer ${bearer}` }
  })
  const body: unknown = await response.json().catch(() => undefined)
  if (!response.ok) throw apiErrorOf(response, body)
  return (body as StreamTicket).ticket
}
