import ipaddr from "ipaddr.js"
import { type Address, addressOf, unmapped, within } from "../Network.ts"

/** Tells why nothing is sent to an address, as the end of "which is …"; undefined if the address is allowed. */
export type AddressGuard = (address: string) => string | undefined

/** The registries' kinds of addresses that are not public, in plain words. RFC 6890 and those that update it. */
const NOT_PUBLIC: Readonly<Record<string, string>> = {
  unspecified: "an unspecified address, which is this machine",
  broadcast: "a broadcast address",
  multicast: "a multicast address",
  linkLocal: "a link-local address",
  loopback: "a loopback address",
  carrierGradeNat: "an address of a carrier's own network",
  private: "a private address",
  uniqueLocal: "a private address",
  deprecatedSiteLocal: "a private address",
  benchmarking: "an address for benchmarks",
  discard: "an address that discards",
  amt: "a relay's address",
  as112: "an address for wrong name look-ups",
  as112v6: "an address for wrong name look-ups",
  rfc6145: "a translated address",
  rfc6052: "a translated address",
  "6to4": "a tunnel's address",
  teredo: "a tunnel's address",
  ipv4Mapped: "a translated address"
}

/** Addresses at which clouds give their machines' credentials, inside and outside of ranges that are refused anyway. */
export const METADATA: ReadonlySet<string> = new Set([
  "169.254.169.254",
  "169.254.170.2",
  "100.100.100.200",
  "168.63.129.16",
  "192.0.0.192",
  "fd00:ec2::254"
])

const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3")
const TRANSLATED = ipaddr.IPv6.parseCIDR("64:ff9b::/96")

const lastFour = (address: ipaddr.IPv6): ipaddr.IPv4 => new ipaddr.IPv4(address.toByteArray().slice(12))

/**
 * The address that a packet finally goes to. It may be written inside an IPv6 one: mapped (RFC 4291, 2.5.5), or
 * translated by the well-known prefix (RFC 6052).
 */
const reached = (address: Address): Address =>
  address instanceof ipaddr.IPv6 && address.match(TRANSLATED) ? lastFour(address) : unmapped(address)

const problem = (address: Address): string | undefined => {
  if (METADATA.has(address.toString())) return "a metadata address of cloud machines"
  const range = address.range()
  if (range !== "unicast") return NOT_PUBLIC[range] ?? "a reserved address"
  return address instanceof ipaddr.IPv4 || address.match(GLOBAL_UNICAST) ? undefined : "a reserved address"
}

/** Whether an address is within named networks (addresses, or in CIDR notation), by the address that is reached. */
export const reaching = (networks: ReadonlyArray<string>) => within(networks, reached)

/**
 * Lets through public addresses and those of the named networks. It refuses private, loopback, link-local, metadata,
 * multicast and reserved ones, even inside IPv6 ones, and all tunnels (6to4, Teredo).
 */
export const addressGuard = (allowedNetworks: ReadonlyArray<string>): AddressGuard => {
  const isAllowed = reaching(allowedNetworks)
  return (text) => {
    const address = addressOf(text)
    if (address === undefined) return "no address"
    return isAllowed(text) ? undefined : problem(reached(address))
  }
}

/** Lets through only addresses of the named networks: plain http may go there. */
export const namedGuard = (allowedNetworks: ReadonlyArray<string>): AddressGuard => {
  const isNamed = reaching(allowedNetworks)
  return (address) =>
    isNamed(address) ? undefined : "not in WEBHOOK_ALLOWED_NETWORKS, to which alone plain http is sent"
}
