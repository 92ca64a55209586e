import { describe, expect, it } from "bun:test"
import { ConfigProvider, Effect } from "effect"
import * as Setting from "../../src/Setting.ts"
import { itEffect } from "../lib/Effects.ts"

const given = (value: string) =>
  Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnvRecord({ NAME: value, NAME_MORE: "x" }))

describe("a setting", () => {
  itEffect("is trimmed, and unset when blank", () =>
    Effect.gen(function* () {
      expect(yield* Setting.optional("NAME", Setting.text).pipe(given(" a b "))).toBe("a b")
      expect(yield* Setting.withDefault("NAME", Setting.text, "c").pipe(given(" "))).toBe("c")
    })
  )

  itEffect("that is wrong is shown shortened, and not at all when it is secret", () =>
    Effect.gen(function* () {
      const wrong = "x".repeat(300)
      const shown = yield* Effect.flip(Setting.optional("NAME", Setting.onOff).pipe(given(wrong)))
      expect(shown.message).toBe(`NAME: expected on or off, not "${"x".repeat(200)}".`)
      const hidden = yield* Effect.flip(Setting.optional("NAME", Setting.secretText(400)).pipe(given(wrong)))
      expect(hidden.message).toBe("NAME: expected at least 400 characters.")
    })
  )
})

describe("a reading", () => {
  it("of a whole number includes both bounds and nothing else", () => {
    const { parse } = Setting.integer(2, 10, "things")
    expect(["2", "10"].map(parse)).toEqual([2, 10])
    expect(["1", "11", "-3", "2.0", "1e1", "0x3", "", "99999999999"].map(parse)).toEqual(Array(8).fill(undefined))
  })

  it("of a share is a plain decimal from 0 to 1", () => {
    const { parse } = Setting.share
    expect(["0", "1", "0.01", ".5", "1.0", "0.0"].map(parse)).toEqual([0, 1, 0.01, 0.5, 1, 0])
    expect(["", "2", "1.1", "-0.1", "1e-2", "1 %", "0,1"].map(parse)).toEqual(Array(7).fill(undefined))
  })

  it("of a word ignores case", () => {
    expect(Setting.oneOf("open", "closed").parse("Closed")).toBe("closed")
  })

  it("of networks takes addresses and prefixes of both versions", () => {
    const { parse } = Setting.networks
    expect(parse("10.0.0.1,10.0.0.0/8 , fd00::/8")).toEqual(["10.0.0.1", "10.0.0.0/8", "fd00::/8"])
    for (const wrong of ["", "10.0.0", "10.0.0.0/33", "fd00::/129", "10.0.0.0/8/8", "10.0.0.0/", "a,b", "::1,"]) {
      expect(parse(wrong)).toBeUndefined()
    }
  })

  it("of origins takes exact ones and no wildcard", () => {
    const { parse } = Setting.origins
    const given = "https://app.example.com, http://localhost:5173"
    expect(parse(given)).toEqual(["https://app.example.com", "http://localhost:5173"])
    for (const wrong of [
      "",
      "*",
      "null",
      "https://a.example/",
      "https://a.example:443",
      "ftp://a",
      "a.example",
      "https://"
    ]) {
      expect(parse(wrong)).toBeUndefined()
    }
  })

  it("of a URL minds the protocol", () => {
    const { parse } = Setting.url("https:")
    expect(parse("https://x.example/a")?.pathname).toBe("/a")
    expect([parse("http://x.example"), parse("x.example"), parse("https:")]).toEqual([undefined, undefined, undefined])
  })
})
