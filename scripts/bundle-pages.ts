/** Bundles the dashboard into dist, for a runtime that does not bundle: `bun scripts/bundle-pages.ts`. */
import { Effect } from "effect"
import { DASHBOARD } from "../src/dashboard/DashboardBundle.ts"
import * as BunPageBundler from "../src/runtime/bun/BunPageBundler.ts"
import { PageBundler } from "../src/runtime/PageBundler.ts"
import { pageFolder, writePages } from "../src/runtime/PageFolder.ts"

const bundled = Effect.flatMap(PageBundler, ({ bundle }) => bundle(DASHBOARD))

writePages(pageFolder(DASHBOARD.name), await Effect.runPromise(Effect.provide(bundled, BunPageBundler.layer)))
