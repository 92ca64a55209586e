import ipaddr from "ipaddr.js"
import { isIP } from "node:net"

export type Address = ipaddr.IPv4 | ipaddr.IPv6

/** An address and how many of its bits all addresses of the network share. */
export type Network = readonly [Address, number]

/** A text as an address, in one of the usual forms; undefined for other texts. */
export const addressOf = (text: string): Address | undefined => (isIP(text) === 0 ? undefined : ipaddr.parse(text))

/** Whether a text is an address, or a network in CIDR notation. */
export const isNetwork = (text: string): boolean => {
  const [start = "", bits, ...rest] = text.split("/")
  const address = addressOf(start)
  if (address === undefined || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= address.toByteArray().length * 8)
}

/** A network in CIDR notation, or of one address. */
export const networkOf = (text: string): Network => {
  if (text.includes("/")) return ipaddr.parseCIDR(text)
  const address = ipaddr.parse(text)
  return [address, address.toByteArray().length * 8]
}

/** The same address; an IPv4 one that is written as an IPv6 one (RFC 4291, 2.5.5) becomes IPv4. */
export const unmapped = (address: Address): Address =>
  address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address

/**
 * Whether an address is within networks.
 *
 * @param read - how an address is read
 */
export const within = (
  networks: ReadonlyArray<string>,
  read: (address: Address) => Address = unmapped
): ((text: string) => boolean) => {
  const parsed = networks.map(networkOf)
  return (text) => {
    const found = parsed.length === 0 ? undefined : addressOf(text)
    if (found === undefined) return false
    const address = read(found)
    return parsed.some(([start, bits]) => address.kind() === start.kind() && address.match(start, bits))
  }
}
