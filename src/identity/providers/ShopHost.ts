/** The host of a shop, in lower case: one name below the platform's domain, and nothing else. Undefined: it is none. */
export const parse = (text: string, domain: string): string | undefined => {
  const host = text.toLowerCase()
  const name = host.endsWith(`.${domain}`) ? host.slice(0, -domain.length - 1) : ""
  return /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(name) ? host : undefined
}
