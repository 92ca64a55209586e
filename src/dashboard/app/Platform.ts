/** Milliseconds since 1970 by the browser's clock. */
export const now = (): number => Date.now()

/** Runs something once after so many milliseconds. Answers what calls it off. */
export const after = (milliseconds: number, run: () => void): (() => void) => {
  const timer = setTimeout(run, milliseconds)
  return () => clearTimeout(timer)
}

/** Runs something every so many milliseconds. Answers what ends it. */
export const every = (milliseconds: number, run: () => void): (() => void) => {
  const timer = setInterval(run, milliseconds)
  return () => clearInterval(timer)
}

/** 128 random bits in hexadecimal. Works on plain http as well, where `crypto.randomUUID` does not. */
export const randomId = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("")

/** What the browser keeps for this site under a name. A browser that keeps nothing answers undefined. */
export const remembered = (name: string): string | undefined => {
  try {
    return localStorage.getItem(name) ?? undefined
  } catch {
    return undefined
  }
}

/** Keeps a text for this site, where the browser lets it. */
export const remember = (name: string, value: string): void => {
  try {
    localStorage.setItem(name, value)
  } catch {
    return
  }
}
