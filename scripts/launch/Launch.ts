import { join } from "node:path"
import { bundleFolder, BundleNotWritten } from "./BundleFolder.ts"
import { memoryFor } from "./Memory.ts"
import { type ProgramName, PROGRAMS, ROOT } from "./Program.ts"

/** The bundler is loaded only where something is to be bundled. */
const bundle = async (folder: string): Promise<void> => (await import("./ProgramBundle.ts")).bundlePrograms(folder)

/** The folder with the bundle of the sources as they are. */
export const currentBundle = (): Promise<string> => bundleFolder(ROOT, bundle)

const toStandardError = (sentence: string): void => void process.stderr.write(`emporion: ${sentence}\n`)

/** What a bundler that failed has to say, each error in a line. */
const reasonsOf = (cause: unknown): string =>
  cause instanceof AggregateError ? cause.errors.map(String).join("\n") : String(cause)

/** The file to run. Without a place for a bundle it is the source. Undefined: it was said why there is none. */
export const programFile = async (
  name: ProgramName,
  bundled: () => Promise<string> = currentBundle,
  tell: (sentence: string) => void = toStandardError
): Promise<string | undefined> => {
  try {
    return join(await bundled(), `${name}.js`)
  } catch (cause) {
    if (cause instanceof BundleNotWritten) {
      tell(
        `no bundle can be kept (${cause.message}), so it runs from its sources: it starts later and takes more memory. ` +
          'Run "npm run bundle" once as somebody who may write there.'
      )
      return join(ROOT, PROGRAMS[name])
    }
    tell(`its sources cannot be bundled:\n${reasonsOf(cause)}`)
    return undefined
  }
}

/**
 * Replaces this process by another file: its id, signals, terminal and exit code are the other's from now on. A runtime
 * that cannot do that loads the file into this process, without the settings of its memory.
 */
export const become = async (file: string): Promise<void> => {
  if (process.execve === undefined) {
    await import(file)
    return
  }
  process.execve(process.execPath, ["bun", ...process.execArgv, file, ...process.argv.slice(2)], {
    ...memoryFor(process.versions["bun"]),
    ...process.env
  })
}

/** Becomes a program. */
export const launch = async (name: ProgramName): Promise<void> => {
  const file = await programFile(name)
  if (file === undefined) return process.exit(1)
  await become(file)
}
