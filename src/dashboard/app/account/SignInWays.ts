/** How somebody can sign in without a password. */
export interface SignInWays {
  /** Whether there is an identity provider. */
  readonly provider: boolean
  /** The domain below which every shop is one name; undefined where there are no shops. */
  readonly shops: string | undefined
}

/** What a server tells of its ways, such as `google shop:myshopify.com`. */
export const waysOf = (told: string): SignInWays => {
  const ways = told.split(" ")
  return {
    provider: ways.includes("google"),
    shops: ways.find((way) => way.startsWith("shop:"))?.slice("shop:".length)
  }
}

const back = (path: string): string => `/dashboard${path === "/" ? "" : path}`

/** Where signing in at the identity provider begins, and comes back to a page of the dashboard. */
export const providerAddress = (path: string): string =>
  `/auth/google?${new URLSearchParams({ return_to: back(path) })}`

/** Where signing in at a shop begins, by its name or whatever part of its address somebody wrote. */
export const shopAddress = (written: string, domain: string, path: string): string => {
  const host = written
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, "")
    .replace(/\/.*$/, "")
  const shop = host.includes(".") ? host : `${host}.${domain}`
  return `/auth/ecommerce?${new URLSearchParams({ shop, return_to: back(path) })}`
}
