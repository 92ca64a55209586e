/** Texts that stand sealed under the key of a person or a company: for the engine they are texts like any other. */

/** What every sealed text begins with. */
export const SEALED_PREFIX = "sealed:v1:"

/** A sealed text names whose it is; the box is in base64url. */
const SEALED = /^sealed:v1:((?:usr|cmp)_[0-9a-z]{24}):([A-Za-z0-9_-]+)$/

const KEPT_BY = /^(?:usr|cmp)_[0-9a-z]{24}$/

/** A sealed text in its parts. */
export interface SealedParts {
  /** The user or company under whose key it is. */
  readonly of: string
  /** In base64url. */
  readonly box: string
}

/** The parts of a sealed text; undefined of a text in clear. */
export const sealedParts = (text: string): SealedParts | undefined => {
  if (!text.startsWith(SEALED_PREFIX)) return undefined
  const [, of, box] = SEALED.exec(text) ?? []
  return of === undefined || box === undefined ? undefined : { of, box }
}

/** Whether a text is sealed. */
export const isSealed = (text: string): boolean => sealedParts(text) !== undefined

/** Whether an id is that of a user or a company, who can be forgotten: the platform's own accounts have no key. */
export const hasKey = (id: string): boolean => KEPT_BY.test(id)

/** A value of JSON but for amounts, which are integers of any size. */
type Json = Readonly<Record<string, unknown>>

/** What has parts of its own: responses and other instances stay whole. */
const isRecord = (value: unknown): value is Json =>
  typeof value === "object" &&
  value !== null &&
  (Object.getPrototypeOf(value) === Object.prototype || Object.getPrototypeOf(value) === null)

const collect = (value: unknown, found: Set<string>): void => {
  if (typeof value === "string") {
    if (value.startsWith(SEALED_PREFIX)) found.add(value)
  } else if (Array.isArray(value)) {
    for (const one of value) collect(one, found)
  } else if (isRecord(value)) {
    for (const key in value) {
      if (key.startsWith(SEALED_PREFIX)) found.add(key)
      collect(value[key], found)
    }
  }
}

/** The sealed texts of a value, each once, those that are keys of an object too. */
export const sealedIn = (value: unknown): ReadonlySet<string> => {
  const found = new Set<string>()
  collect(value, found)
  return found
}

/** The pairs of an object with keys of its callers, in the order of the keys, as they would stand without any seal. */
const inOrder = (pairs: Array<readonly [string, unknown]>): Json =>
  Object.fromEntries(pairs.toSorted(([one], [other]) => (one < other ? -1 : 1)))

/**
 * The value with every sealed text replaced by what it says. An object's pair whose key cannot be read goes.
 *
 * @param opened - what a sealed text says, by that text; those that nobody reads are missing
 * @param unread - stands where a text cannot be read
 */
export const withOpened = (value: unknown, opened: ReadonlyMap<string, string>, unread: string | null): unknown => {
  if (typeof value === "string") return value.startsWith(SEALED_PREFIX) ? (opened.get(value) ?? unread) : value
  if (Array.isArray(value)) return value.map((one) => withOpened(one, opened, unread))
  if (!isRecord(value)) return value
  const pairs: Array<readonly [string, unknown]> = []
  let isOfCaller = false
  for (const key in value) {
    const isSealedKey = key.startsWith(SEALED_PREFIX)
    const plain = isSealedKey ? opened.get(key) : key
    isOfCaller ||= isSealedKey
    if (plain !== undefined) pairs.push([plain, withOpened(value[key], opened, unread)])
  }
  return isOfCaller ? inOrder(pairs) : Object.fromEntries(pairs)
}
