import type { BundledFile, BundledPages } from "../runtime/PageBundler.ts"

/** A file that a page loads. Its name holds a hash of its contents, so that it never changes. */
export interface Asset {
  readonly contentType: string
  readonly plain: Uint8Array
  /** The same, compressed by Brotli. */
  readonly packed: Uint8Array
}

/** Pages as they are served. */
export interface Bundle {
  /** By name, such as `Main-1a2b3c.js`. */
  readonly assets: ReadonlyMap<string, Asset>
  /** Names of what the page loads at once: the entry, what it imports, its styles. The rest is loaded by page. */
  readonly entry: string
  readonly imported: ReadonlyArray<string>
  readonly styles: ReadonlyArray<string>
  /** The programs of its workers. */
  readonly workers: ReadonlyArray<string>
}

const TYPES: Readonly<Record<string, string>> = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8"
}

const assetOf = (name: string, { packed, text }: BundledFile): Asset => ({
  contentType: TYPES[name.slice(name.lastIndexOf(".") + 1)] ?? "application/octet-stream",
  plain: new TextEncoder().encode(text),
  packed
})

const IMPORT = /(?:from|import)\s*"([^"]+\.js)"/g

/** The modules that one imports at once, and those that they import. A lazily loaded one is a call and not found. */
const importedBy = (
  name: string,
  files: BundledPages["files"],
  publicPath: string,
  found = new Set<string>()
): ReadonlySet<string> => {
  for (const [, path = ""] of (files.get(name)?.text ?? "").matchAll(IMPORT)) {
    const other = path.slice(publicPath.length)
    if (!path.startsWith(publicPath) || found.has(other)) continue
    found.add(other)
    importedBy(other, files, publicPath, found)
  }
  return found
}

/** What was bundled under a path, as it is served. */
export const bundleOf = (pages: BundledPages, publicPath: string): Bundle => ({
  assets: new Map(Array.from(pages.files, ([name, file]) => [name, assetOf(name, file)])),
  entry: pages.entry,
  imported: [...importedBy(pages.entry, pages.files, publicPath)],
  styles: [...pages.files.keys()].filter((name) => name.endsWith(".css")),
  workers: pages.workers
})
