import { createHash, randomUUID } from "node:crypto"
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs"
import { join, relative } from "node:path"

/** What a bundle follows from, below the project's folder. */
const FOLDERS = ["src", "engine", "packages/client/src", "data", "scripts/launch"]
const FILES = ["package.json", "bun.lock", "node_modules/.package-lock.json"]

const DIGITS = 16
const DIGEST = /^[0-9a-f]{16}$/
const UNFINISHED = "unfinished-"

/** Earlier bundles that stay: a server that runs one of them still loads parts of it. */
const KEPT = 2

const filesOf = (root: string): ReadonlyArray<string> => [
  ...FOLDERS.filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted(),
  ...FILES.map((file) => join(root, file)).filter((file) => existsSync(file))
]

/** Names the sources as they are: their paths and contents, what is installed, and the runtime. */
export const sourceDigest = (root: string): string => {
  const hash = createHash("sha256").update(process.versions["bun"] ?? "")
  for (const file of filesOf(root)) {
    const content = readFileSync(file)
    hash.update(`\n${relative(root, file)} ${content.length}\n`).update(content)
  }
  return hash.digest("hex").slice(0, DIGITS)
}

/** Where bundles are, each in a folder that is named for its sources. */
export const bundlesFolder = (root: string): string => join(root, "dist")

const removeOld = (root: string, current: string): void => {
  const others = readdirSync(bundlesFolder(root))
    .filter((name) => (DIGEST.test(name) && name !== current) || name.startsWith(UNFINISHED))
    .map((name) => join(bundlesFolder(root), name))
    .map((folder) => ({ folder, made: statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .toSorted((one, other) => other.made - one.made)
  for (const { folder } of others.slice(KEPT)) rmSync(folder, { recursive: true, force: true })
}

/** The folder that bundles are written to cannot be: the installation is read-only, or the disk is full. */
export class BundleNotWritten extends Error {
  override readonly name = "BundleNotWritten"
}

const UNWRITABLE: ReadonlySet<unknown> = new Set(["EACCES", "EPERM", "EROFS", "ENOSPC", "EDQUOT"])

const asNotWritten = (cause: unknown): unknown =>
  cause instanceof Error && "code" in cause && UNWRITABLE.has(cause.code)
    ? new BundleNotWritten(cause.message, { cause })
    : cause

/** Has a folder of another name filled, so that nobody finds half a bundle, and many may do so at once. */
const filled = async (root: string, folder: string, fill: (folder: string) => Promise<void>): Promise<void> => {
  const unfinished = join(bundlesFolder(root), UNFINISHED + randomUUID())
  mkdirSync(unfinished, { recursive: true })
  try {
    await fill(unfinished)
    if (!existsSync(folder)) renameSync(unfinished, folder)
  } catch (cause) {
    if (!existsSync(folder)) throw cause
  } finally {
    rmSync(unfinished, { recursive: true, force: true })
  }
}

/** The folder with the bundle of the sources as they are, which is made where there is none. */
export const bundleFolder = async (root: string, make: (folder: string) => Promise<void>): Promise<string> => {
  const digest = sourceDigest(root)
  const folder = join(bundlesFolder(root), digest)
  if (existsSync(folder)) return folder
  try {
    await filled(root, folder, make)
    removeOld(root, digest)
  } catch (cause) {
    throw asNotWritten(cause)
  }
  return folder
}
