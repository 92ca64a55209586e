#!/usr/bin/env -S BUN_JSC_heapGrowthFunctionThresholdInMB=1048576 MIMALLOC_PURGE_DELAY=10000 bun
import manifest from "../../package.json" with { type: "json" }
import { emporion } from "./Commands.ts"
import { runCommand } from "./RunCommand.ts"

runCommand(emporion, manifest.version)
