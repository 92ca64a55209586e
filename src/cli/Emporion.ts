#!/usr/bin/env -S MIMALLOC_PURGE_DELAY=10000 bun
import { version } from "../../package.json"
import { emporion } from "./Commands.ts"
import { runCommand } from "./RunCommand.ts"

runCommand(emporion, version)
