import { Link } from "wouter"
import { useRows } from "../Data.ts"
import { requestPath } from "./RequestReading.ts"

/** The request that wrote an event, as a link. */
export const CausedBy = ({ eventSeq }: { readonly eventSeq: number }) => {
  const found = useRows("GET /v1/requests", { query: { event_seq: eventSeq, limit: 1 } })
  if (found.data === undefined) return null
  const [request] = found.data.rows
  return request === undefined ? (
    <span className="soft">No request of your company that is still in the log</span>
  ) : (
    <Link href={requestPath(request.id)}>{request.operation}</Link>
  )
}
