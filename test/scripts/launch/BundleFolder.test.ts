import { describe, expect } from "bun:test"
import { Effect } from "effect"
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import { bundleFolder, BundleNotWritten, bundlesFolder, sourceDigest } from "../../../scripts/launch/BundleFolder.ts"
import { itLive } from "../../lib/Effects.ts"
import { temporaryFolder } from "../../lib/TemporaryFolder.ts"

/** A project of two sources whose bundle is the first of them, and how often it was bundled. */
const newProject = Effect.map(temporaryFolder, (root) => {
  mkdirSync(join(root, "src", "deep"), { recursive: true })
  writeFileSync(join(root, "src", "main.ts"), "one")
  writeFileSync(join(root, "src", "deep", "other.ts"), "other")
  writeFileSync(join(root, "package.json"), "{}")
  const project = {
    root,
    times: 0,
    write: (text: string): void => writeFileSync(join(root, "src", "main.ts"), text),
    bundle: (): Promise<string> =>
      bundleFolder(root, async (folder) => {
        project.times += 1
        writeFileSync(join(folder, "main.js"), readFileSync(join(root, "src", "main.ts")))
      })
  }
  return project
})

/** Far in the future, in seconds. */
const LATE = 7_000_000_000

const failing = (cause: Error) => () => Promise.reject(cause)

const systemError = (code: string): Error => Object.assign(new Error(`${code}: it cannot be written`), { code })

describe("BundleFolder", () => {
  itLive("bundles once for sources that stay as they are, whatever their times say", () =>
    Effect.gen(function* () {
      const project = yield* newProject
      const folder = yield* Effect.promise(project.bundle)
      expect(readFileSync(join(folder, "main.js"), "utf8")).toBe("one")
      utimesSync(join(project.root, "src", "main.ts"), LATE, LATE)
      expect(yield* Effect.promise(project.bundle)).toBe(folder)
      expect(project.times).toBe(1)
    })
  )

  itLive("bundles anew when a source changed, even if it is older, and finds the former again", () =>
    Effect.gen(function* () {
      const project = yield* newProject
      const before = yield* Effect.promise(project.bundle)
      project.write("two")
      utimesSync(join(project.root, "src", "main.ts"), 0, 0)
      const after = yield* Effect.promise(project.bundle)
      expect(readFileSync(join(after, "main.js"), "utf8")).toBe("two")
      project.write("one")
      expect(yield* Effect.promise(project.bundle)).toBe(before)
      expect(project.times).toBe(2)
    })
  )

  itLive("takes a file that came, went or moved, and another package, for a change", () =>
    Effect.gen(function* () {
      const { root } = yield* newProject
      const digests = [sourceDigest(root)]
      const changes = [
        () => writeFileSync(join(root, "src", "deep", "new.ts"), ""),
        () => renameSync(join(root, "src", "deep", "new.ts"), join(root, "src", "new.ts")),
        () => rmSync(join(root, "src", "deep", "other.ts")),
        () => writeFileSync(join(root, "package.json"), '{"dependencies":{}}'),
        () => mkdirSync(join(root, "node_modules")),
        () => writeFileSync(join(root, "node_modules", ".package-lock.json"), "{}")
      ]
      for (const change of changes) {
        change()
        digests.push(sourceDigest(root))
      }
      // An empty node_modules is none.
      expect(new Set(digests).size).toBe(changes.length)
    })
  )

  itLive("leaves nothing behind when it fails, and bundles at the next start", () =>
    Effect.gen(function* () {
      const project = yield* newProject
      const failed = yield* Effect.promise(() =>
        bundleFolder(project.root, failing(new Error("no such module"))).catch(String)
      )
      expect(failed).toBe("Error: no such module")
      expect(readdirSync(bundlesFolder(project.root))).toEqual([])
      expect(existsSync(join(yield* Effect.promise(project.bundle), "main.js"))).toBe(true)
    })
  )

  itLive("tells a place that cannot be written from a bundle that cannot be made", () =>
    Effect.gen(function* () {
      const { root } = yield* newProject
      for (const code of ["EROFS", "EACCES", "ENOSPC"]) {
        const failed = yield* Effect.promise(() => bundleFolder(root, failing(systemError(code))).catch((e) => e))
        expect(failed).toBeInstanceOf(BundleNotWritten)
        expect(String(failed)).toContain(code)
      }
      const failed = yield* Effect.promise(() => bundleFolder(root, failing(systemError("ENOENT"))).catch((e) => e))
      expect(failed).not.toBeInstanceOf(BundleNotWritten)
    })
  )

  itLive("takes the bundle that another start finished first", () =>
    Effect.gen(function* () {
      const project = yield* newProject
      const folder = yield* Effect.promise(() =>
        bundleFolder(project.root, async (unfinished) => {
          writeFileSync(join(unfinished, "main.js"), "second")
          const other = join(bundlesFolder(project.root), sourceDigest(project.root))
          mkdirSync(other)
          writeFileSync(join(other, "main.js"), "first")
        })
      )
      expect(readFileSync(join(folder, "main.js"), "utf8")).toBe("first")
      expect(readdirSync(bundlesFolder(project.root))).toHaveLength(1)
    })
  )

  itLive("keeps two earlier bundles for the servers that still run them, and what is not a bundle", () =>
    Effect.gen(function* () {
      const project = yield* newProject
      const folders: Array<string> = []
      for (const [index, text] of ["a", "b", "c", "d"].entries()) {
        project.write(text)
        folders.push(yield* Effect.promise(project.bundle))
        utimesSync(folders[index] ?? "", index, index)
        mkdirSync(join(bundlesFolder(project.root), "current"), { recursive: true })
      }
      expect(folders.map((folder) => existsSync(folder))).toEqual([false, true, true, true])
      expect(existsSync(join(bundlesFolder(project.root), "current"))).toBe(true)
    })
  )
})
