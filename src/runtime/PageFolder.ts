import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { BundledFile, BundledPages } from "./PageBundler.ts"

/** What tells the entry, and the files' names. */
const LIST = "pages.json"

interface PageList {
  readonly entry: string
  readonly workers: ReadonlyArray<string>
  readonly files: ReadonlyArray<string>
}

const packedName = (name: string): string => `${name}.br`

/** Keeps pages in a folder, in place of what was there. */
export const writePages = (folder: string, { entry, files, workers }: BundledPages): void => {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const [name, { packed, text }] of files) {
    writeFileSync(join(folder, name), text)
    writeFileSync(join(folder, packedName(name)), packed)
  }
  const list: PageList = { entry, workers, files: [...files.keys()] }
  writeFileSync(join(folder, LIST), JSON.stringify(list))
}

/** Whether the folder has pages. */
export const hasPages = (folder: string): boolean => existsSync(join(folder, LIST))

/** Throws where the folder has no pages. */
export const readPages = (folder: string): BundledPages => {
  const { entry, files, workers } = JSON.parse(readFileSync(join(folder, LIST), "utf8")) as PageList
  const fileOf = (name: string): BundledFile => ({
    text: readFileSync(join(folder, name), "utf8"),
    packed: new Uint8Array(readFileSync(join(folder, packedName(name))))
  })
  return { entry, workers, files: new Map(files.map((name) => [name, fileOf(name)])) }
}
