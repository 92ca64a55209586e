import { Record, Result, type Schema } from "effect"
import type { Recorded } from "../actor/Journal.ts"
import { eventDecoder, eventEncoder } from "../actor/EventBytes.ts"
import {
  EVENTS,
  type EventFamilies,
  type EventFamily,
  familyOf,
  membersOf,
  type PlatformEvent
} from "./PlatformEvent.ts"
import type { StoredEvent } from "./StoredEvent.ts"

export type ReadEvent = {
  [F in EventFamily]: { readonly of: F; readonly event: EventFamilies[F] }
}[EventFamily]

const schemas: { readonly [F in EventFamily]: Schema.Codec<PlatformEvent, unknown> } = EVENTS

const DECODERS = Record.map(schemas, eventDecoder)

const ENCODERS = new Map(
  Object.values(EVENTS).flatMap((schema) =>
    membersOf(schema).map(([tag, member]) => [tag, eventEncoder(member)] as const)
  )
)

/** Reads a stored event, or says that no event has these bytes. */
export const readEvent = ({ type, data }: StoredEvent): Result.Result<ReadEvent, string> =>
  Result.try({
    try: () => {
      const of = familyOf(type) ?? "order"
      return { of, event: DECODERS[of](data) } as ReadEvent
    },
    catch: () => "cannot be read as an event of its type"
  })

/** A stored event, decoded. Bytes that are no event are a defect. */
export const recordedOf = (stored: StoredEvent): Recorded<PlatformEvent> => {
  const { hash, seq, stream, version } = stored
  return { seq, stream, version, hash, event: Result.getOrThrow(readEvent(stored)).event }
}

/** The bytes of `encodeEvent`, sooner. */
export const encodePlatformEvent = (event: PlatformEvent): string => {
  const encode = ENCODERS.get(event._tag)
  if (encode === undefined) throw new Error(`${event._tag} is no event`)
  return encode(event)
}
