import type { StoredEvent } from "../replay/StoredEvent.ts"
import type { KeptEvent } from "./MemoryTables.ts"

/** The tag that an event's bytes begin with. */
const tagIn = (data: string): string => /^\{"_tag":"(\w+)"/.exec(data)?.[1] ?? ""

/** A kept event as it is stored. */
export const storedOf = ({ data, hash, seq, stream, version }: KeptEvent): StoredEvent => ({
  seq,
  stream,
  version,
  type: tagIn(data),
  data,
  hash
})
