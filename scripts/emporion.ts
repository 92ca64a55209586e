#!/usr/bin/env bun
/** The command line, from its bundle: `bun scripts/emporion.ts <command>`. */
import { launch } from "./launch/Launch.ts"

await launch("Emporion")
