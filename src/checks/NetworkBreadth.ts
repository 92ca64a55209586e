import { type Network, networkOf } from "../Network.ts"
import { METADATA, reaching } from "../webhooks/AddressGuard.ts"

/** Ranges that belong to nobody on the Internet. */
const OWN: ReadonlySet<string> = new Set(["private", "loopback", "linkLocal", "uniqueLocal", "carrierGradeNat"])

/** Bits of the shortest prefix that any such range has: a shorter one goes beyond it. */
const WIDEST_OWN = { ipv4: 8, ipv6: 7 } as const

const isOwn = ([address, bits]: Network): boolean => bits >= WIDEST_OWN[address.kind()] && OWN.has(address.range())

/**
 * Part of all addresses that are more than one operator's: the whole of a block as registries hand them out (IPv4), or a
 * sixteenth of one (IPv6). The largest networks for delivering content have a fraction of that.
 */
const TOO_WIDE = { ipv4: 2 ** -8, ipv6: 2 ** -16 } as const

/** The networks that together hold more of the Internet's addresses than one operator has; none where they hold less. */
export const tooWide = (networks: ReadonlyArray<string>): ReadonlyArray<string> =>
  (["ipv4", "ipv6"] as const).flatMap((kind) => {
    const foreign = networks.filter((text) => {
      const network = networkOf(text)
      return network[0].kind() === kind && !isOwn(network)
    })
    const part = foreign.reduce((sum, text) => sum + 2 ** -networkOf(text)[1], 0)
    return part >= TOO_WIDE[kind] ? foreign : []
  })

/** Addresses of this machine, of the link it is on, and at which clouds tell their machines' credentials. */
const NEAR: ReadonlyArray<string> = ["0.0.0.0", "127.0.0.1", "::", "::1", "fe80::1", ...METADATA]

const NEAR_NETWORKS: ReadonlyArray<string> = ["0.0.0.0/8", "127.0.0.0/8", "169.254.0.0/16", "fe80::/10"]

/** The networks that hold an address of this machine, of its link, or of a cloud's metadata. */
export const holdingNear = (networks: ReadonlyArray<string>): ReadonlyArray<string> => {
  const isNear = reaching(NEAR_NETWORKS)
  return networks.filter((network) => {
    const holds = reaching([network])
    return NEAR.some(holds) || isNear(networkOf(network)[0].toString())
  })
}
