import { describe, expect } from "bun:test"
import { Effect, Layer, Result } from "effect"
import { createHash } from "node:crypto"
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { MAX_MODULE_BYTES, StrategyModules } from "../../../../src/bots/programs/StrategyModules.ts"
import { Settings } from "../../../../src/Config.ts"
import { itLive } from "../../../lib/Effects.ts"
import { temporaryFolder } from "../../../lib/TemporaryFolder.ts"

const modulesOf = (variables: Readonly<Record<string, string>>) =>
  Effect.provide(StrategyModules, Layer.provide(StrategyModules.layer, Settings.layerOf(variables)))

const why = (found: Result.Result<unknown, string>): string => (Result.isFailure(found) ? found.failure : "found")

describe("StrategyModules", () => {
  itLive("finds the files of its folder alone, by what they have", () =>
    Effect.gen(function* () {
      const root = yield* temporaryFolder
      const folder = join(root, "strategies")
      mkdirSync(join(folder, "folder.ts"), { recursive: true })
      const write = (path: string) => writeFileSync(path, "export default {}")
      for (const path of [join(folder, "my.ts"), join(folder, "big.ts"), join(root, "outside.ts")]) write(path)
      truncateSync(join(folder, "big.ts"), MAX_MODULE_BYTES + 1)
      symlinkSync(join(root, "outside.ts"), join(folder, "leads-out.ts"))
      symlinkSync(join(folder, "my.ts"), join(folder, "inside.ts"))
      symlinkSync(root, join(folder, "up"))
      const { find, isOpen } = yield* modulesOf({ STRATEGY_MODULES: folder })
      expect(isOpen).toBe(true)
      const digest = createHash("sha256").update("export default {}").digest("hex")
      expect(Result.getOrThrow(find("my.ts"))).toEqual({ name: "my.ts", path: join(folder, "my.ts"), folder, digest })
      expect(Result.getOrThrow(find("inside.ts"))).toMatchObject({ path: join(folder, "my.ts") })
      const outside = ["leads-out.ts", "../outside.ts", "up/outside.ts"]
      for (const name of outside) expect(why(find(name))).toContain(`${name} leads out of the folder`)
      expect(why(find(join(root, "outside.ts")))).toContain("There is no file")
      expect(why(find("other.ts"))).toBe("There is no file other.ts in the folder of STRATEGY_MODULES.")
      expect(why(find("folder.ts"))).toBe("folder.ts is no file.")
      expect(why(find("big.ts"))).toContain("more than")
    })
  )

  itLive("has none where no folder is named", () =>
    Effect.gen(function* () {
      const { find, isOpen } = yield* modulesOf({})
      expect([isOpen, why(find("my.ts"))]).toEqual([false, expect.stringContaining("This server runs no modules")])
    })
  )
})
