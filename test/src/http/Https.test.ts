import { describe, expect } from "bun:test"
import { Effect, Layer } from "effect"
import { writeFile } from "node:fs/promises"
import { get as getPlain, type IncomingMessage } from "node:http"
import { get } from "node:https"
import { join } from "node:path"
import { HttpServer } from "../../../src/http/HttpServer.ts"
import { withLayer } from "../../lib/Effects.ts"
import { layer } from "../../lib/ProbeServer.ts"
import { selfSigned } from "../../lib/SelfSigned.ts"
import { temporaryFolder } from "../../lib/TemporaryFolder.ts"

const { certificate, key } = selfSigned("localhost")

const served = Layer.unwrap(
  Effect.gen(function* () {
    const folder = yield* temporaryFolder
    const files = { TLS_CERT: join(folder, "cert.pem"), TLS_KEY: join(folder, "key.pem") }
    yield* Effect.promise(() => Promise.all([writeFile(files.TLS_CERT, certificate), writeFile(files.TLS_KEY, key)]))
    return layer({ HOST: "localhost", ...files })
  })
)

const it = withLayer(served)

const ask = (url: string, ca: string | undefined) =>
  Effect.tryPromise(
    () =>
      new Promise<IncomingMessage>((resolve, reject) => {
        const way = url.startsWith("https:") ? get : getPlain
        way(`${url}/v1/probe/items`, { ca }, (answer) => resolve(answer.resume())).on("error", reject)
      })
  )

describe("TLS by setting", () => {
  it("serves https alone, and tells browsers to keep to it", () =>
    Effect.gen(function* () {
      const { url } = yield* HttpServer
      expect(url).toStartWith("https://localhost:")
      const answer = yield* ask(url, certificate)
      expect([answer.statusCode, answer.headers["strict-transport-security"]]).toEqual([200, "max-age=31536000"])
      expect((yield* Effect.exit(ask(url, undefined)))._tag).toBe("Failure")
      expect((yield* Effect.exit(ask(url.replace("https", "http"), undefined)))._tag).toBe("Failure")
    }))
})
