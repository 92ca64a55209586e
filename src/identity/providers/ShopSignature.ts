import { createHmac, timingSafeEqual } from "node:crypto"

/** How far the shop's clock may be from ours, and how old a redirect may be, in milliseconds. */
const MAX_AGE = 300_000

const NAME = "hmac"

type Parameters = ReadonlyArray<readonly [name: string, value: string]>

const byName = ([left]: Parameters[number], [right]: Parameters[number]): number => (left < right ? -1 : 1)

/** What a shop signs: every parameter but the signature, by name, form-encoded. */
const messageOf = (parameters: Parameters): string =>
  new URLSearchParams(
    parameters
      .filter(([name]) => name !== NAME)
      .toSorted(byName)
      .map(([name, value]): [string, string] => [name, value])
  ).toString()

/** The HMAC-SHA256 of a redirect's parameters under the client's secret, in hexadecimal. */
export const sign = (parameters: Parameters, secret: string): string =>
  createHmac("sha256", secret).update(messageOf(parameters)).digest("hex")

const isFresh = (timestamp: string | undefined, now: number): boolean =>
  timestamp === undefined || (/^\d{1,12}$/.test(timestamp) && Math.abs(Number(timestamp) * 1000 - now) <= MAX_AGE)

/**
 * Whether the parameters of a redirect carry their own signature, whatever their order, and are not old. One that is
 * named twice has no meaning of its own and is refused.
 */
export const verify = (parameters: Parameters, secret: string, now: number): boolean => {
  const named = new Map(parameters)
  const given = named.get(NAME) ?? ""
  if (named.size !== parameters.length || !/^[0-9a-f]{64}$/.test(given)) return false
  const expected = Buffer.from(sign(parameters, secret), "hex")
  return timingSafeEqual(Buffer.from(given, "hex"), expected) && isFresh(named.get("timestamp"), now)
}
