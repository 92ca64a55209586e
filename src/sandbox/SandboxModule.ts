import { type Module, nothing } from "../Module.ts"
import { DemoAccount } from "./DemoAccount.ts"

/** What is there to try things out. */
export const module = { ...nothing, services: DemoAccount.layer } satisfies Module
