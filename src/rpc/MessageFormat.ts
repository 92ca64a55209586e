import { Decoder, Encoder } from "@msgpack/msgpack"
import { isTooDeep } from "../http/JsonDepth.ts"
import type { Format } from "../api/rpc/FastLane.ts"

/** How one connection writes messages. Both ways throw where that cannot be done. */
export interface MessageFormat {
  readonly name: Format
  /** The messages of one frame. */
  readonly read: (frame: string | Uint8Array) => ReadonlyArray<unknown>
  /** One frame. It may be overwritten by the next one. */
  readonly write: (message: unknown) => string | Uint8Array<ArrayBuffer>
}

const listed = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [value])

const utf8 = new TextDecoder("utf-8", { fatal: true })

const json: MessageFormat = {
  name: "json",
  read: (frame) => {
    const text = typeof frame === "string" ? frame : utf8.decode(frame)
    if (isTooDeep(text)) throw new TypeError("The frame nests too deep")
    return listed(JSON.parse(text))
  },
  write: (message) => JSON.stringify(message)
}

const encoder = new Encoder({ ignoreUndefined: true })
const decoder = new Decoder()

const msgpack: MessageFormat = {
  name: "msgpack",
  read: (frame) => {
    if (typeof frame === "string") throw new TypeError("MessagePack is sent as binary frames")
    return listed(decoder.decode(frame))
  },
  write: (message) => encoder.encodeSharedRef(message)
}

export const FORMATS: Readonly<Record<Format, MessageFormat>> = { json, msgpack }
