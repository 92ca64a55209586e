import { describe, expect, it as plain } from "bun:test"
import { Effect } from "effect"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { HttpServer } from "../../../src/http/HttpServer.ts"
import { answer, encodingOf, make } from "../../../src/http/CompressedText.ts"
import { itLive, withLayer } from "../../lib/Effects.ts"
import { layer } from "../../lib/ProbeServer.ts"
import { sendAsync } from "../../lib/Requests.ts"

const it = withLayer(layer())

const fetched = async (url: string, encoding: string) => {
  const { headers, text } = await sendAsync(url, { headers: { "accept-encoding": encoding } })
  return { headers, text }
}

const decoder = new TextDecoder()

describe("A compressed text", () => {
  plain("is sent in the best encoding that the caller takes", () => {
    const rows = [
      [undefined, "identity"],
      ["", "identity"],
      ["gzip", "gzip"],
      ["gzip, deflate, br", "br"],
      ["GZIP;q=0.5, br;q=0", "gzip"],
      ["br;q=0.0", "identity"],
      ["*", "br"],
      ["*;q=0, gzip", "gzip"],
      ["identity", "identity"],
      ["br;level=x", "identity"]
    ] as const
    for (const [accepted, encoding] of rows) expect([accepted, encodingOf(accepted)]).toEqual([accepted, encoding])
  })

  itLive("is the same text in each of them", () =>
    Effect.gen(function* () {
      const text = "é".repeat(10_000)
      const made = yield* make(text)
      expect(decoder.decode(made.identity)).toBe(text)
      expect(decoder.decode(brotliDecompressSync(made.br))).toBe(text)
      expect(decoder.decode(gunzipSync(made.gzip))).toBe(text)
      const { headers } = answer(made, "gzip", "text/plain", { "cache-control": "public" })
      expect(headers).toMatchObject({
        "cache-control": "public",
        "content-encoding": "gzip",
        vary: "Accept-Encoding"
      })
    })
  )

  it("is what /openapi.json answers", () =>
    Effect.gen(function* () {
      const { url } = yield* HttpServer
      const get = (encoding: string) => Effect.promise(() => fetched(`${url}/openapi.json`, encoding))
      const plain = yield* get("identity")
      expect(plain.headers.get("content-encoding")).toBeNull()
      for (const encoding of ["br", "gzip"]) {
        const packed = yield* get(encoding)
        expect([packed.headers.get("content-encoding"), packed.headers.get("vary")]).toEqual([
          encoding,
          "Accept-Encoding"
        ])
        expect(packed.text).toBe(plain.text)
        expect(Number(packed.headers.get("content-length")) * 5).toBeLessThan(plain.text.length)
      }
    }))
})
