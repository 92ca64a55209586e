import { BlockList, isIP } from "node:net"

/** Most addresses read from one `X-Forwarded-For`. */
const MAX_HOPS = 16

const family = (address: string): "ipv4" | "ipv6" | undefined => {
  const version = isIP(address)
  return version === 4 ? "ipv4" : version === 6 ? "ipv6" : undefined
}

const plain = (address: string): string => (address.startsWith("::ffff:") ? address.slice(7) : address)

const blockList = (networks: ReadonlyArray<string>): BlockList => {
  const list = new BlockList()
  for (const network of networks) {
    const [address = "", bits] = network.split("/")
    const kind = family(address)
    if (kind === undefined) continue
    list.addSubnet(address, bits === undefined ? (kind === "ipv4" ? 32 : 128) : Number(bits), kind)
  }
  return list
}

/** Whether an address is within the networks. */
export const within = (networks: ReadonlyArray<string>): ((address: string) => boolean) => {
  const list = blockList(networks)
  return (address) => {
    const kind = family(plain(address))
    return kind !== undefined && list.check(plain(address), kind)
  }
}

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
      if (!isTrusted(address) || family(next) === undefined) return address
      address = next
    }
    return address
  }
}

/** Whether an address is of this machine. */
export const isLoopback = (address: string): boolean => address === "::1" || plain(address).startsWith("127.")

const groups = (half: string): ReadonlyArray<string> => (half === "" ? [] : half.split(":"))

/** What an anonymous caller is counted by: an IPv4 address, or the /64 network of an IPv6 one, which one host owns. */
export const countedAs = (address: string): string => {
  if (!address.includes(":")) return address
  const [head = "", tail] = address.split("::")
  const left = groups(head)
  const right = tail === undefined ? [] : groups(tail)
  const full = [...left, ...Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => "0"), ...right]
  return `${full
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, "").toLowerCase())
    .join(":")}::/64`
}
