import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { promisify } from "node:util"
import { brotliCompress, constants, gzip } from "node:zlib"

/** The quality for texts that are compressed once and sent often. */
const BROTLI_QUALITY = 9

type Encoding = "br" | "gzip"

/** A text in the encodings that clients accept. */
export type CompressedText = Readonly<Record<Encoding | "identity", Uint8Array<ArrayBuffer>>>

const REFUSED = /^0(\.0*)?$/

const PART = /^\s*([\w*-]+)\s*(?:;\s*q\s*=\s*([\d.]+))?\s*$/i

/** The best encoding that an `Accept-Encoding` allows. RFC 9110, section 12.5.3. */
export const encodingOf = (accepted: string | undefined): Encoding | "identity" => {
  const taken = new Map<string, boolean>()
  for (const part of (accepted ?? "").split(",")) {
    const [, name, quality = "1"] = PART.exec(part) ?? []
    if (name !== undefined) taken.set(name.toLowerCase(), !REFUSED.test(quality))
  }
  const isTaken = (encoding: Encoding): boolean => taken.get(encoding) ?? taken.get("*") ?? false
  return isTaken("br") ? "br" : isTaken("gzip") ? "gzip" : "identity"
}

/** Compresses a text in every encoding, off the event loop. */
export const make = (text: string): Effect.Effect<CompressedText> =>
  Effect.promise(async () => {
    const identity = new TextEncoder().encode(text)
    const [br, packed] = await Promise.all([
      promisify(brotliCompress)(identity, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
      promisify(gzip)(identity)
    ])
    return { identity, br: new Uint8Array(br), gzip: new Uint8Array(packed) }
  })

/** The answer with the text in an encoding that the caller accepts. */
export const answer = (
  text: CompressedText,
  accepted: string | undefined,
  contentType: string,
  headers: Readonly<Record<string, string>>
): HttpServerResponse.HttpServerResponse => {
  const encoding = encodingOf(accepted)
  return HttpServerResponse.uint8Array(text[encoding], {
    contentType,
    headers: {
      ...headers,
      vary: "Accept-Encoding",
      ...(encoding === "identity" ? {} : { "content-encoding": encoding })
    }
  })
}
