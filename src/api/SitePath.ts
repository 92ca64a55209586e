import { Schema } from "effect"

/** Longest path that a sign-in goes back to, in characters. */
const MAX_LENGTH = 512

const EXPECTED = `a path of this site in ASCII such as /docs, at most ${MAX_LENGTH} characters`

/** Any other origin would do: a path of this site is one of whatever site it is resolved on. */
const SITE = "https://site.invalid"

const ASCII = /^\/[!-[\]-~]*$/

/**
 * The path, query and fragment that a `Location` leads to on this site, as browsers resolve them (WHATWG URL). Undefined
 * where it leads to another origin, or would where it is resolved once more, as `/..//host` does.
 */
export const sitePathOf = (text: string): string | undefined => {
  if (text.length > MAX_LENGTH || !ASCII.test(text) || !URL.canParse(text, SITE)) return undefined
  const { hash, origin, pathname, search } = new URL(text, SITE)
  return origin === SITE && !pathname.startsWith("//") ? `${pathname}${search}${hash}` : undefined
}

/** A path of this site, as a `Location` carries it: another origin cannot be named. */
export const SitePath = Schema.String.check(
  Schema.isMaxLength(MAX_LENGTH, { expected: EXPECTED }),
  Schema.makeFilter((text: string) => sitePathOf(text) !== undefined || `Expected ${EXPECTED}`)
)
