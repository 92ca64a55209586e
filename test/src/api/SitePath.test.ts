import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { sitePathOf } from "../../../src/api/SitePath.ts"
import { property } from "../../lib/Property.ts"

const ORIGIN = "https://emporion.example:8443"

const HOSTILE = [
  "/..//evil.example",
  "/.//evil.example",
  "/a/..//evil.example",
  "/%2e%2e//evil.example",
  "/%2E//evil.example",
  "/a/%2e%2E//evil.example/x?y#z",
  "//evil.example",
  "///evil.example",
  "/\\evil.example",
  "/\t/evil.example",
  "/\n/evil.example",
  "\\\\evil.example",
  "https://evil.example",
  "https:evil.example",
  "javascript:alert(1)",
  "evil.example",
  "?x",
  "",
  " /docs",
  "/docs\r\nSet-Cookie: a=b",
  "/é"
]

const piece = fc.constantFrom(
  "/",
  "..",
  ".",
  "%2e",
  "%2E",
  "//",
  "\\",
  "@",
  ":",
  "a",
  "evil.example",
  "?",
  "#",
  "%2f",
  ";",
  "\t",
  "\n",
  " ",
  "[",
  "%"
)

describe("The path that a sign-in goes back to", () => {
  it("is kept where it is one of this site", () => {
    for (const path of [
      "/",
      "/docs",
      "/dashboard/orders?tab=open#all",
      "/a;b=c",
      "/a//b",
      "/dashboard?next=//evil.example"
    ]) {
      expect(sitePathOf(path)).toBe(path)
    }
    expect(sitePathOf("/a/../docs")).toBe("/docs")
    expect(sitePathOf("/a/./b/%2e%2e/c")).toBe("/a/c")
    expect(sitePathOf(`/${"a".repeat(511)}`)).toHaveLength(512)
    expect(sitePathOf(`/${"a".repeat(512)}`)).toBeUndefined()
  })

  it("is refused where it leads elsewhere", () => {
    for (const path of HOSTILE) expect([path, sitePathOf(path)]).toEqual([path, undefined])
  })

  it("never leaves the site, however often it is resolved", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(piece, { maxLength: 12 }).map((pieces) => `/${pieces.join("")}`),
          fc.webPath(),
          fc.string()
        ),
        (text) => {
          let path = sitePathOf(text)
          if (path === undefined) return
          for (let times = 0; times < 3; times += 1) {
            expect(path).toMatch(/^\/(?![/\\])/)
            const url = new URL(path, `${ORIGIN}/auth/google/callback`)
            expect(url.origin).toBe(ORIGIN)
            const next = sitePathOf(`${url.pathname}${url.search}${url.hash}`)
            expect(next).toBe(path)
            path = next ?? ""
          }
        }
      ),
      property()
    )
  })
})
