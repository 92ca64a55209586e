import { describe, expect, it } from "bun:test"
import { countedAs, isLoopback, make } from "../../../src/http/ClientAddress.ts"

describe("ClientAddress", () => {
  it("is the connection's own without trusted proxies", () => {
    expect(make([])("203.0.113.9", "198.51.100.1")).toBe("203.0.113.9")
    expect(make([])("::ffff:203.0.113.9", undefined)).toBe("203.0.113.9")
  })

  it("is the last forwarded address that is no trusted proxy", () => {
    const addressOf = make(["10.0.0.0/8", "192.168.1.7"])
    expect(addressOf("10.1.2.3", "198.51.100.1")).toBe("198.51.100.1")
    expect(addressOf("10.1.2.3", "1.1.1.1, 198.51.100.1, 192.168.1.7, 10.9.9.9")).toBe("198.51.100.1")
    expect(addressOf("203.0.113.9", "198.51.100.1")).toBe("203.0.113.9")
    expect(addressOf("10.1.2.3", "garbage")).toBe("10.1.2.3")
    expect(addressOf("10.1.2.3", undefined)).toBe("10.1.2.3")
  })

  it("counts an IPv6 caller by its /64", () => {
    expect(countedAs("198.51.100.1")).toBe("198.51.100.1")
    expect(countedAs("2001:0DB8:1:2:3:4:5:6")).toBe("2001:db8:1:2::/64")
    expect(countedAs("2001:db8:1:2::9")).toBe("2001:db8:1:2::/64")
    expect(countedAs("::1")).toBe("0:0:0:0::/64")
  })

  it("knows this machine", () => {
    expect(["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"].map(isLoopback)).toEqual([true, true, true, true])
    expect(["128.0.0.1", "::2", "", "10.0.0.1"].map(isLoopback)).toEqual([false, false, false, false])
  })
})
