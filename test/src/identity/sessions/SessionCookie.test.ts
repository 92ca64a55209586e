import { describe, expect, it } from "bun:test"
import type { ServerSettings } from "../../../../src/Config.ts"
import * as SessionCookie from "../../../../src/identity/sessions/SessionCookie.ts"

const server = (publicUrl?: string, tls?: ServerSettings["tls"]): ServerSettings => ({
  port: 3000,
  host: "127.0.0.1",
  publicUrl: publicUrl === undefined ? undefined : new URL(publicUrl),
  trustedProxies: [],
  corsOrigins: [],
  tls,
  rateLimits: true
})

const TLS = { certificateFile: "a.pem", keyFile: "b.pem" }
const PLAIN = server()
const HTTPS = server("https://arena.example.com/app/")

const from = (origin: string | undefined, host?: string) => ({ cookie: undefined, origin, host })

describe("SessionCookie", () => {
  it("is kept from scripts and other sites, and over https from everything but this host", () => {
    const shared = { path: "/", httpOnly: true, sameSite: "lax" } as const
    expect(SessionCookie.make(PLAIN, "v", 1_000)).toMatchObject({
      name: "emporion_session",
      value: "v",
      options: shared
    })
    expect(SessionCookie.make(PLAIN, "v", 1_000).options.secure).toBeUndefined()
    for (const settings of [HTTPS, server(undefined, TLS), server("https://a.example", TLS)]) {
      expect(SessionCookie.make(settings, "v", 1_000)).toMatchObject({
        name: "__Host-emporion_session",
        options: { ...shared, secure: true }
      })
    }
    expect(SessionCookie.make(server("http://localhost:3000", TLS), "v", 1_000).options.secure).toBeUndefined()
  })

  it("is found among others by its whole name", () => {
    expect(SessionCookie.read(PLAIN, "a=1; emporion_session=v; b=2")).toBe("v")
    expect(SessionCookie.read(HTTPS, "emporion_session=w; __Host-emporion_session=v")).toBe("v")
    expect(SessionCookie.read(HTTPS, "emporion_session=w")).toBeUndefined()
    for (const header of [undefined, "", ";", "=", "xemporion_session=v", "emporion_session", "Emporion_Session=v"]) {
      expect(SessionCookie.read(PLAIN, header)).toBeUndefined()
    }
  })
})

describe("Same origin", () => {
  it("is that of PUBLIC_URL, wherever the request was sent to", () => {
    const isSame = (origin: string | undefined) => SessionCookie.isSameOrigin(HTTPS, from(origin, "evil.example.com"))
    expect(isSame("https://arena.example.com")).toBe(true)
    for (const origin of [
      undefined,
      "",
      "null",
      "http://arena.example.com",
      "https://arena.example.com/",
      "https://arena.example.com:8443",
      "https://evil.example.com",
      "https://arena.example.com.evil.com"
    ]) {
      expect(isSame(origin)).toBe(false)
    }
  })

  it("is that of the address the request was sent to, when no other is set", () => {
    expect(SessionCookie.isSameOrigin(PLAIN, from("http://localhost:3000", "LOCALHOST:3000"))).toBe(true)
    expect(SessionCookie.isSameOrigin(server(undefined, TLS), from("https://a.example", "a.example"))).toBe(true)
    for (const [origin, host] of [
      ["https://localhost:3000", "localhost:3000"],
      ["http://localhost:3001", "localhost:3000"],
      ["http://localhost", "localhost:3000"],
      ["http://undefined", undefined],
      ["null", "null"],
      [undefined, "localhost:3000"]
    ]) {
      expect(SessionCookie.isSameOrigin(PLAIN, from(origin, host))).toBe(false)
    }
  })
})
