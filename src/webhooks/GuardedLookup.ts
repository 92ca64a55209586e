import { isIP } from "node:net"
import type { LookupFunction } from "node:net"
import type { AddressGuard } from "./AddressGuard.ts"
import type { Resolve } from "./NameResolver.ts"

/** Nothing is sent to such an address. Its message is the reason, for a person. */
export class AddressRefused extends Error {
  override readonly name = "AddressRefused"
}

const refusedName = (address: string, reason: string): AddressRefused =>
  new AddressRefused(`the name resolves to ${address}, which is ${reason}`)

/**
 * Resolves names for a new connection, so that the judged address is the connected one, whatever the name resolved to
 * before. It refuses a name if one of its addresses is refused.
 */
export const guardedLookup =
  (resolve: Resolve, guard: AddressGuard): LookupFunction =>
  (name, { all }, callback) => {
    resolve(name, (error, addresses) => {
      if (error !== null) return callback(error, [])
      for (const address of addresses) {
        const reason = guard(address)
        if (reason !== undefined) return callback(refusedName(address, reason), [])
      }
      const [first] = addresses
      if (first === undefined) return callback(new AddressRefused("the name has no address"), [])
      if (all === true)
        return callback(
          null,
          addresses.map((address) => ({ address, family: isIP(address) }))
        )
      return callback(null, first, isIP(first))
    })
  }

/** A URL's host, if it is an address: the sender connects to it without any look-up. */
export const literalAddress = ({ hostname }: URL): string | undefined => {
  const bare = hostname.startsWith("[") ? hostname.slice(1, -1) : hostname
  return isIP(bare) === 0 ? undefined : bare
}

/** Why a URL's host is refused if it is an address; undefined if it is allowed, or is a name. */
export const refusedLiteral = (url: URL, guard: AddressGuard): AddressRefused | undefined => {
  const address = literalAddress(url)
  const reason = address === undefined ? undefined : guard(address)
  return reason === undefined ? undefined : new AddressRefused(`${address} is ${reason}`)
}
