#!/usr/bin/env bun
import { Command } from "effect/cli"
import { version } from "../../package.json"
import { exportCommand, verifyCommand } from "./EventCommands.ts"
import { runCommand } from "./RunCommand.ts"

/** The platform's operating commands. */
const emporion = Command.make("emporion").pipe(
  Command.withDescription("Operates an Emporion platform. Its settings are those of the server."),
  Command.withSubcommands([verifyCommand, exportCommand])
)

runCommand(emporion, version)
