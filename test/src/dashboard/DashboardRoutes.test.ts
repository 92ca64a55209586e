import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { request } from "node:http"
import { brotliDecompressSync } from "node:zlib"
import { DashboardBundle } from "../../../src/dashboard/DashboardBundle.ts"
import { SimulatorBundle } from "../../../src/dashboard/SimulatorBundle.ts"
import { itLive as it } from "../../lib/Effects.ts"
import { TestServer } from "../../lib/TestServer.ts"

const PASSWORD = "correct horse battery"

interface Got {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Uint8Array
}

interface Asked {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** As a browser asks for a page: nothing is unpacked on the way. */
const fetched = (address: string, { headers = {}, method = "GET" }: Asked): Promise<Got> =>
  new Promise((resolve, reject) => {
    const sent = request(address, { method, headers }, (answer) => {
      const chunks: Array<Buffer> = []
      answer.on("data", (chunk: Buffer) => chunks.push(chunk))
      answer.on("end", () => {
        const told = Object.entries(answer.headersDistinct).flatMap(([name, values = []]) =>
          values.map((value): [string, string] => [name, value])
        )
        resolve({ status: answer.statusCode ?? 0, headers: new Headers(told), bytes: Buffer.concat(chunks) })
      })
    })
    sent.on("error", reject).end()
  })

const got = (server: TestServer, path: string, init: Asked = {}) =>
  Effect.promise(() => fetched(`${server.url}${path}`, init))

const textOf = ({ bytes }: Got): string => new TextDecoder().decode(bytes)

const servesPages = Effect.fnUntraced(function* (server: TestServer) {
  for (const path of ["/dashboard", "/dashboard/", "/dashboard/arena/orders/any", "/dashboard/nothing"]) {
    const page = yield* got(server, path)
    expect([path, page.status, page.headers.get("content-type")]).toEqual([path, 200, "text/html; charset=utf-8"])
    expect(page.headers.get("cache-control")).toBe("no-cache")
    const policy = page.headers.get("content-security-policy") ?? ""
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'")
    expect(policy).not.toContain("unsafe")
    expect(policy).not.toMatch(/https?:/)
    expect(textOf(page)).not.toMatch(
      /<script(?! type="module" src="\/dashboard\/assets\/)|<style| style=| on\w+=|https?:\/\/(?!www\.w3\.org)/
    )
  }
})

const servesFiles = Effect.fnUntraced(function* (server: TestServer) {
  const { entry } = yield* server.service(DashboardBundle).bundle
  const packed = yield* got(server, `/dashboard/assets/${entry}`, { headers: { "accept-encoding": "gzip, br" } })
  expect([packed.status, packed.headers.get("content-encoding")]).toEqual([200, "br"])
  expect(packed.headers.get("cache-control")).toBe("public, max-age=31536000, immutable")
  const plain = yield* got(server, `/dashboard/assets/${entry}`, { headers: { "accept-encoding": "identity" } })
  expect([plain.headers.get("content-encoding"), plain.headers.get("vary")]).toEqual([null, "Accept-Encoding"])
  expect(brotliDecompressSync(packed.bytes).equals(plain.bytes)).toBe(true)
  expect((yield* got(server, "/dashboard/assets/Main-00000000.js")).status).toBe(404)
  expect((yield* got(server, "/dashboard", { method: "POST" })).status).toBe(405)
})

const servesSimulation = Effect.fnUntraced(function* (server: TestServer) {
  const page = yield* got(server, "/simulation")
  expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"])
  expect(page.headers.get("content-security-policy")).toContain("default-src 'none'; script-src 'self'")
  const files = [...textOf(page).matchAll(/(?:href|src|content)="(\/simulation\/assets\/[^"]+)"/g)].map(
    ([, path = ""]) => path
  )
  expect(files.filter((path) => path.includes("Thread-")).length).toBe(1)
  expect(files.length).toBeGreaterThanOrEqual(3)
  for (const path of files) expect([path, (yield* got(server, path)).status]).toEqual([path, 200])
  expect((yield* got(server, "/simulation/assets/SimulationMain-00000000.js")).status).toBe(404)
})

/** Asks for a token with the session's cookie, from a page of this origin. */
const asked = (server: TestServer, cookie: string, origin?: string) =>
  got(server, "/api/v1/auth/session", {
    method: "POST",
    headers: { ...(cookie === "" ? {} : { cookie }), ...(origin === undefined ? {} : { origin }) }
  })

const renewsTokens = Effect.fnUntraced(function* (server: TestServer) {
  const person = { email: "ada@example.com", password: PASSWORD }
  yield* server.post("/api/v1/auth/register", { ...person, company_name: "Northwind" })
  const login = yield* server.post("/api/v1/auth/login", person)
  const cookie = login.headers.get("set-cookie")?.split(";", 1)[0] ?? ""
  const renewed = yield* asked(server, cookie, server.url)
  const { access_token: token, ...rest } = JSON.parse(textOf(renewed)) as Readonly<Record<string, unknown>>
  expect([renewed.status, rest]).toEqual([200, { token_type: "Bearer", expires_in: 1800 }])
  const me = yield* got(server, "/api/v1/users/me", { headers: { authorization: `Bearer ${String(token)}` } })
  expect((JSON.parse(textOf(me)) as Readonly<Record<string, unknown>>)["email"]).toBe(person.email)
  const refused = yield* Effect.all([
    asked(server, cookie),
    asked(server, cookie, "https://elsewhere.example"),
    asked(server, ""),
    asked(server, `${cookie.slice(0, -4)}AAAA`, server.url)
  ])
  expect(refused.map(({ status }) => status)).toEqual([403, 403, 401, 401])
})

describe("DashboardRoutes", () => {
  it("serve one page for every address, its files, tokens for its session, and the simulation", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make()
      // A request has a time to be answered in, in which a busy machine may not have bundled them.
      yield* server.service(DashboardBundle).bundle
      yield* server.service(SimulatorBundle).bundle
      yield* servesPages(server)
      yield* servesFiles(server)
      yield* renewsTokens(server)
      yield* servesSimulation(server)
    }))
})
