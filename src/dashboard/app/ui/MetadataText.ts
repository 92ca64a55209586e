/** What is kept with a thing by keys of one's own. */
export type Metadata = Readonly<Record<string, string>>

/** Metadata as a person writes it: a key and its value a line. */
export const metadataText = (metadata: Metadata): string =>
  Object.entries(metadata)
    .map(([key, value]) => `${key}: ${value}`)
    .join("\n")

/** What a person wrote; undefined where a line has no key or no value, or a key comes twice. */
export const readMetadata = (text: string): Metadata | undefined => {
  const read = new Map<string, string>()
  for (const line of text.split("\n").filter((one) => one.trim() !== "")) {
    const colon = line.indexOf(":")
    const [key, value] = [line.slice(0, colon).trim(), line.slice(colon + 1).trim()]
    if (colon < 1 || key === "" || value === "" || read.has(key)) return undefined
    read.set(key, value)
  }
  return Object.fromEntries(read)
}

/** What is to be different where all that was written is to be all that is there: null takes a key away. */
export const metadataChange = (before: Metadata, after: Metadata): Readonly<Record<string, string | null>> =>
  Object.fromEntries([...Object.keys(before).map((key) => [key, null] as const), ...Object.entries(after)])
