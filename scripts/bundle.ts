/** Bundles the programs and the dashboard into dist, unless that was done: `bun scripts/bundle.ts`. `dist/current` is the bundle. */
import { renameSync, symlinkSync } from "node:fs"
import { basename, join } from "node:path"
import { bundlesFolder } from "./launch/BundleFolder.ts"
import { currentBundle } from "./launch/Launch.ts"
import { ROOT } from "./launch/Program.ts"

const folder = await currentBundle()
const link = join(bundlesFolder(ROOT), `current-${process.pid}`)
symlinkSync(basename(folder), link)
renameSync(link, join(bundlesFolder(ROOT), "current"))
