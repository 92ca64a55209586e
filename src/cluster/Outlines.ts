/**
 * What the headers of many requests or answers of a connection have in common, which is said once. An outline is a line for each
 * header: its name and its value, or its name alone where each says its own value.
 */

/** Outlines that a connection keeps in one direction; the one that was said first makes room. */
export const MAX_OUTLINES = 4_096

/** The longest outline that is kept, in characters: an access token is some 700 of them. */
export const MAX_OUTLINE_CHARACTERS = 2_048

/** The most headers that one that is kept may have: each takes far more memory than its text. */
export const MAX_OUTLINE_LINES = 40

const LINE_END = "\n"
const VALUE = ":"

/** Headers by an outline. */
export interface Outlined {
  readonly outline: string
  /** Of the names that stand alone in it, in their order. */
  readonly values: ReadonlyArray<string>
}

/** Whether an outline may be kept. */
export const isKept = (outline: string): boolean => {
  if (outline.length > MAX_OUTLINE_CHARACTERS) return false
  let lines = 0
  for (let at = outline.indexOf(LINE_END); at !== -1; at = outline.indexOf(LINE_END, at + 1)) lines += 1
  return lines <= MAX_OUTLINE_LINES
}

/** A line of an outline: of a header whose value is the same, or undefined. */
export const lineOf = (name: string, value: string | undefined): string =>
  value === undefined ? `${name}${LINE_END}` : `${name}${VALUE}${value}${LINE_END}`

/** The headers of an outline, in order: those without a value say their own. */
export const fieldsOf = (outline: string): ReadonlyArray<readonly [name: string, value: string | undefined]> =>
  outline
    .split(LINE_END)
    .slice(0, -1)
    .map((line) => {
      const end = line.indexOf(VALUE)
      return end === -1 ? [line, undefined] : [line.slice(0, end), line.slice(end + VALUE.length)]
    })

/** An outline, and the headers that have it. */
export interface MadeOutline {
  readonly outline: string
  readonly names: ReadonlyArray<string>
  /** Undefined where each has its own. */
  readonly fixed: ReadonlyArray<string | undefined>
}

const BREAKS = /[\r\n\0]/

/**
 * The outline of headers, those of which have values of their own that are `varying`. Throws where one has a line break: it
 * would be another header.
 */
export const outlineOf = (
  names: ReadonlyArray<string>,
  values: ReadonlyArray<string>,
  varying: ReadonlySet<string>
): MadeOutline => {
  const fixed = names.map((name, at) => (varying.has(name) ? undefined : values[at]))
  let outline = ""
  for (const [at, name] of names.entries()) {
    if (BREAKS.test(values[at] ?? "")) throw new TypeError(`the header ${name} has a line break in it`)
    outline += lineOf(name, fixed[at])
  }
  return { outline, names, fixed }
}

/** The own values of headers, where they have an outline that was made before. */
export const valuesBy = (
  { fixed, names }: MadeOutline,
  own: ReadonlyArray<string>,
  values: ReadonlyArray<string>
): ReadonlyArray<string> | undefined => {
  if (own.length !== names.length) return undefined
  const left: Array<string> = []
  for (let at = 0; at < own.length; at += 1) {
    const value = values[at] ?? ""
    if (own[at] !== names[at]) return undefined
    if (fixed[at] === undefined) left.push(value)
    else if (fixed[at] !== value) return undefined
  }
  return left
}

/** How an outline is named in a message: by its number, or as it is where it is kept from then on, or where it is not. */
export type SaidOutline = number | string | readonly [once: string]

/** The outlines that one end of a connection has said, in order. */
export class SaidOutlines {
  readonly #numbers = new Map<string, number>()
  #count = 0

  /** How to name an outline next. What it gives has to be sent. */
  name(outline: string): SaidOutline {
    const known = this.#numbers.get(outline)
    if (known !== undefined) return known
    if (!isKept(outline)) return [outline]
    this.#numbers.set(outline, (this.#count += 1))
    if (this.#numbers.size > MAX_OUTLINES) this.#forgetOldest()
    return outline
  }

  #forgetOldest(): void {
    for (const oldest of this.#numbers.keys()) {
      this.#numbers.delete(oldest)
      return
    }
  }
}

/** The outlines that the other end has said, as it is to keep them: a number stands for one of them, or for none. */
export class HeardOutlines<Kept> {
  readonly #kept = new Map<number, Kept>()
  readonly #keep: (outline: string) => Kept
  #count = 0

  /** @param keep - makes of an outline what is kept of it; throws where it cannot be used */
  constructor(keep: (outline: string) => Kept) {
    this.#keep = keep
  }

  /** What a message names; undefined where that is nothing. Each is to be asked for once, in the order of the messages. */
  named(said: unknown): Kept | undefined {
    if (typeof said === "number") return this.#kept.get(said)
    if (typeof said === "string") return isKept(said) ? this.#add(said) : undefined
    return Array.isArray(said) && said.length === 1 && typeof said[0] === "string" ? this.#made(said[0]) : undefined
  }

  #add(outline: string): Kept | undefined {
    const kept = this.#made(outline)
    if (kept === undefined) return undefined
    this.#kept.set((this.#count += 1), kept)
    this.#kept.delete(this.#count - MAX_OUTLINES)
    return kept
  }

  #made(outline: string): Kept | undefined {
    try {
      return this.#keep(outline)
    } catch {
      return undefined
    }
  }
}
