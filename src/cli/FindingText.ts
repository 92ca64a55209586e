import type { Finding, StoredEvent } from "../../engine/replay/StoredEvent.ts"

/** An event, by what is known of its place. */
export const eventName = ({ seq, stream, version, type }: Finding | StoredEvent): string => {
  const place = [...(stream === "" ? [] : [stream]), ...(version > 0 ? [`version ${version}`] : []), type].filter(
    Boolean
  )
  return place.length === 0 ? `event ${seq}` : `event ${seq} (${place.join(", ")})`
}

/** What is wrong with an event, as one sentence. */
export const findingText = (finding: Finding): string => `${eventName(finding)} ${finding.problem}`
