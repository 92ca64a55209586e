import { Layer } from "effect"
import { type Module, nothing } from "../Module.ts"
import { DemoAccount } from "./DemoAccount.ts"
import { SandboxClock } from "./SandboxClock.ts"
import * as SandboxClockHandlers from "./SandboxClockHandlers.ts"

/** What is there to try things out. */
export const module = {
  ...nothing,
  services: Layer.merge(DemoAccount.layer, SandboxClock.layer),
  handlers: SandboxClockHandlers.layer,
  background: SandboxClock.running
} satisfies Module
