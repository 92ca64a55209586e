import { isUtf8 } from "node:buffer"
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

/** The head bytes of MessagePack whose texts and bytes have their length behind them, in so many bytes. */
const LENGTH_BYTES: ReadonlyMap<number, number> = new Map([
  [0xc4, 1],
  [0xc5, 2],
  [0xc6, 4],
  [0xc7, 1],
  [0xc8, 2],
  [0xc9, 4],
  [0xd9, 1],
  [0xda, 2],
  [0xdb, 4]
])

/** How many bytes stand behind each head byte from 0xc0 to 0xdf, where that is fixed. */
const FIXED = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 8, 1, 2, 4, 8, 1, 2, 4, 8, 2, 3, 5, 9, 17, 0, 0, 0, 2, 4, 2, 4]

const isExtension = (head: number): boolean => head >= 0xc7 && head <= 0xc9
const isText = (head: number): boolean => (head >= 0xa0 && head <= 0xbf) || (head >= 0xd9 && head <= 0xdb)

/** Whether part of a frame is UTF-8. Nearly every text is of ASCII alone. */
const isUtf8In = (frame: Uint8Array, begin: number, end: number): boolean => {
  let at = begin
  while (at < end && (frame[at] ?? 0) < 0x80) at += 1
  return at >= end || isUtf8(frame.subarray(at, end))
}

/**
 * Whether the texts of a frame are UTF-8, as MessagePack says: its decoder takes other letters for what is none. Lists and
 * maps are their heads, with what is in them behind. Says nothing of a frame that is cut off.
 */
const hasTexts = (frame: Uint8Array): boolean => {
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength)
  for (let at = 0; at < frame.length;) {
    const head = frame[at] ?? 0
    at += 1
    const bytes = LENGTH_BYTES.get(head) ?? 0
    if (at + bytes > frame.length) return true
    let length = head >= 0xc0 && head <= 0xdf ? (FIXED[head - 0xc0] ?? 0) : 0
    if (head >= 0xa0 && head <= 0xbf) length = head & 0x1f
    if (bytes === 1) length = view.getUint8(at)
    if (bytes === 2) length = view.getUint16(at)
    if (bytes === 4) length = view.getUint32(at)
    at += bytes + (isExtension(head) ? 1 : 0)
    if (at + length > frame.length) return true
    if (isText(head) && !isUtf8In(frame, at, at + length)) return false
    at += length
  }
  return true
}

const msgpack: MessageFormat = {
  name: "msgpack",
  read: (frame) => {
    if (typeof frame === "string") throw new TypeError("MessagePack is sent as binary frames")
    if (!hasTexts(frame)) throw new TypeError("A text of the frame is no UTF-8")
    return listed(decoder.decode(frame))
  },
  write: (message) => encoder.encodeSharedRef(message)
}

export const FORMATS: Readonly<Record<Format, MessageFormat>> = { json, msgpack }
