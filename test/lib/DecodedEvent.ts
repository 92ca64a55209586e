import { Result } from "effect"
import { readEvent } from "../../engine/replay/EventCodec.ts"
import type { PlatformEvent } from "../../engine/replay/PlatformEvent.ts"
import type { KeptEvent } from "../../engine/simulation/MemoryTables.ts"

/** What an event says, from its bytes. */
export const decodedEvent = ({ data, hash, seq, stream, version }: KeptEvent): PlatformEvent => {
  const type = (JSON.parse(data) as { readonly _tag: string })._tag
  return Result.getOrThrow(readEvent({ seq, stream, version, type, data, hash })).event
}
