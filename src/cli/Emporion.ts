#!/usr/bin/env bun
import { version } from "../../package.json"
import { emporion } from "./Commands.ts"
import { runCommand } from "./RunCommand.ts"

runCommand(emporion, version)
