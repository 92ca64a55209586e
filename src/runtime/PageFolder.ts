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

/** Reads a file by its path; undefined where there is none. */
export type ReadPage = (path: string) => Uint8Array<ArrayBuffer> | undefined

const readFile: ReadPage = (path) => (existsSync(path) ? new Uint8Array(readFileSync(path)) : undefined)

const UTF8 = new TextDecoder()

/** Whether the folder has pages. */
export const hasPages = (folder: string, read: ReadPage = readFile): boolean => read(join(folder, LIST)) !== undefined

/** Throws where the folder has no pages. */
export const readPages = (folder: string, read: ReadPage = readFile): BundledPages => {
  const bytesOf = (name: string): Uint8Array<ArrayBuffer> => {
    const bytes = read(join(folder, name))
    if (bytes === undefined) throw new Error(`there is no ${join(folder, name)}`)
    return bytes
  }
  const { entry, files, workers } = JSON.parse(UTF8.decode(bytesOf(LIST))) as PageList
  const fileOf = (name: string): BundledFile => ({
    text: UTF8.decode(bytesOf(name)),
    packed: bytesOf(packedName(name))
  })
  return { entry, workers, files: new Map(files.map((name) => [name, fileOf(name)])) }
}
