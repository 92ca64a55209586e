import ipaddr from "ipaddr.js"
import { addressOf, within } from "../Network.ts"

/** Most addresses read from one `X-Forwarded-For`. */
const MAX_HOPS = 16

const plain = (address: string): string => (address.startsWith("::ffff:") ? address.slice(7) : address)

/**
 * How the caller's address is found: the connection's own, or, when that is a trusted proxy, the last address of
 * `X-Forwarded-For` that is not itself one.
 */
export const make = (
  trustedProxies: ReadonlyArray<string>
): ((peer: string, forwardedFor: string | undefined) => string) => {
  const isTrusted = within(trustedProxies)
  return (peer, forwardedFor) => {
    let address = plain(peer)
    if (forwardedFor === undefined || trustedProxies.length === 0) return address
    const hops = forwardedFor.split(",").slice(-MAX_HOPS).reverse()
    for (const hop of hops) {
      const next = plain(hop.trim())
      if (!isTrusted(address) || addressOf(next) === undefined) return address
      address = next
    }
    return address
  }
}

/** Whether an address is of this machine. */
export const isLoopback = (address: string): boolean => address === "::1" || plain(address).startsWith("127.")

/** What an anonymous caller is counted by: an IPv4 address, or the /64 network of an IPv6 one, which one host owns. */
export const countedAs = (address: string): string => {
  const parsed = address.includes(":") ? addressOf(address) : undefined
  if (!(parsed instanceof ipaddr.IPv6)) return address
  const network = parsed.parts.slice(0, 4).map((part) => part.toString(16))
  return `${network.join(":")}::/64`
}
