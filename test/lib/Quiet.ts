import { Layer, Logger, References } from "effect"
import { isWatching, watchingLogger } from "./SecretMonitor.ts"

const levelOf = (level: "All" | "Debug" | "None") => Layer.succeed(References.MinimumLogLevel, level)

/**
 * Tests provoke failures on purpose: the log is shown only when `TEST_LOG=1` asks for it. A whole run reads all of it,
 * for secrets.
 */
export const quiet =
  process.env["TEST_LOG"] === "1"
    ? levelOf("Debug")
    : isWatching
      ? Layer.merge(levelOf("All"), Logger.layer([watchingLogger]))
      : levelOf("None")
