import { describe, expect } from "bun:test"
import { Effect, Layer } from "effect"
import { join } from "node:path"
import { HttpServer } from "../../../src/http/HttpServer.ts"
import { withLayer } from "../../lib/Effects.ts"
import { layer } from "../../lib/ProbeServer.ts"
import { send } from "../../lib/Requests.ts"
import { selfSigned } from "../../lib/SelfSigned.ts"
import { temporaryFolder } from "../../lib/TemporaryFolder.ts"

const { certificate, key } = selfSigned("localhost")

const served = Layer.unwrap(
  Effect.gen(function* () {
    const folder = yield* temporaryFolder
    const files = { TLS_CERT: join(folder, "cert.pem"), TLS_KEY: join(folder, "key.pem") }
    yield* Effect.promise(() => Promise.all([Bun.write(files.TLS_CERT, certificate), Bun.write(files.TLS_KEY, key)]))
    return layer({ HOST: "localhost", ...files })
  })
)

const it = withLayer(served)

const ask = (url: string, ca: string | undefined) =>
  send(`${url}/v1/probe/items`, { tls: ca === undefined ? {} : { ca } } as RequestInit)

describe("TLS by setting", () => {
  it("serves https alone, and tells browsers to keep to it", () =>
    Effect.gen(function* () {
      const { url } = yield* HttpServer
      expect(url).toStartWith("https://localhost:")
      const answer = yield* ask(url, certificate)
      expect([answer.status, answer.headers.get("strict-transport-security")]).toEqual([200, "max-age=31536000"])
      expect((yield* Effect.exit(ask(url, undefined)))._tag).toBe("Failure")
      expect((yield* Effect.exit(ask(url.replace("https", "http"), undefined)))._tag).toBe("Failure")
    }))
})
