import { describe, expect, it } from "bun:test"
import fc from "fast-check"
import { BlockList } from "node:net"
import { addressGuard, reaching } from "../../../src/webhooks/AddressGuard.ts"
import { HOSTILE_HOSTS } from "../../lib/HostileHosts.ts"
import { property } from "../../lib/Property.ts"

const guard = addressGuard([])

/** The IPv4 networks that IANA's registry of special addresses names, and that are not reached globally. */
const SPECIAL = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.31.196.0", 24],
  ["192.52.193.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["192.175.48.0", 24],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
  ["168.63.129.16", 32]
] as const

const special = new BlockList()
for (const [network, bits] of SPECIAL) special.addSubnet(network, bits, "ipv4")

const dotted = (value: number): string => [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join(".")

const numberOf = (address: string): number => address.split(".").reduce((sum, part) => sum * 256 + Number(part), 0)

const edges = SPECIAL.flatMap(([network, bits]) => {
  const start = numberOf(network)
  const end = start + 2 ** (32 - bits)
  return [start - 1, start, end - 1, end]
}).filter((value) => value >= 0 && value < 2 ** 32)

const address = fc.oneof(fc.constantFrom(...edges), fc.integer({ min: 0, max: 2 ** 32 - 1 })).map(dotted)

describe("AddressGuard", () => {
  it.each(HOSTILE_HOSTS.map((host) => [host]))("refuses %s", (host) => {
    const { hostname } = new URL(`https://${host}/`)
    expect(guard(hostname.replace(/^\[|\]$/g, ""))).toMatch(/^(a|an) [a-z].*$/)
  })

  it.each([
    ["1.1.1.1"],
    ["8.8.8.8"],
    ["172.15.255.255"],
    ["172.32.0.1"],
    ["192.167.255.255"],
    ["100.128.0.1"],
    ["169.253.255.255"],
    ["2606:4700:4700::1111"],
    ["2a00:1450:4001:81b::200e"],
    ["::ffff:1.1.1.1"],
    ["64:ff9b::101:101"]
  ])("lets %s through", (one) => {
    expect(guard(one)).toBeUndefined()
  })

  it("says what an address is", () => {
    expect(guard("10.0.0.5")).toBe("a private address")
    expect(guard("fd00::1")).toBe("a private address")
    expect(guard("127.0.0.1")).toBe("a loopback address")
    expect(guard("fe80::1%eth0")).toBe("a link-local address")
    expect(guard("169.254.169.254")).toBe("a metadata address of cloud machines")
    expect(guard("::ffff:169.254.169.254")).toBe("a metadata address of cloud machines")
    expect(guard("2002:a00:1::")).toBe("a tunnel's address")
    expect(guard("example.com")).toBe("no address")
    expect(guard("010.0.0.1")).toBe("no address")
    expect(guard("")).toBe("no address")
  })

  it("agrees with the registry of special addresses, wherever an address is written", () => {
    fc.assert(
      fc.property(address, (one) => {
        const isSpecial = special.check(one, "ipv4")
        expect([one, guard(one) !== undefined]).toEqual([one, isSpecial])
        expect([one, guard(`::ffff:${one}`) !== undefined]).toEqual([one, isSpecial])
        expect([one, guard(`64:ff9b::${one}`) !== undefined]).toEqual([one, isSpecial])
      }),
      property()
    )
  })

  it("opens the networks that are named, and no other", () => {
    const open = addressGuard(["10.1.0.0/16", "192.168.1.7", "fd12::/16", "::1"])
    for (const one of ["10.1.2.3", "::ffff:10.1.2.3", "192.168.1.7", "fd12:3::4", "::1", "1.1.1.1"]) {
      expect(open(one)).toBeUndefined()
    }
    for (const one of ["10.2.0.1", "192.168.1.8", "fd13::1", "127.0.0.1", "::ffff:127.0.0.1", "2002:a01:203::"]) {
      expect(open(one)).toBeDefined()
    }
  })

  it("tells what is within networks", () => {
    const isNamed = reaching(["127.0.0.0/8"])
    expect(isNamed("127.9.9.9")).toBe(true)
    expect(isNamed("::ffff:127.9.9.9")).toBe(true)
    expect(isNamed("128.0.0.1")).toBe(false)
    expect(isNamed("::1")).toBe(false)
    expect(isNamed("localhost")).toBe(false)
    expect(reaching([])("1.1.1.1")).toBe(false)
  })
})
