import { Command } from "effect/cli"
import { adminCommand } from "./AdminCommand.ts"
import { archiveCommand } from "./ArchiveCommand.ts"
import { backupCommand } from "./BackupCommand.ts"
import { breakerCommand } from "./BreakerCommand.ts"
import { doctorCommand } from "./DoctorCommand.ts"
import { eraseCommand } from "./EraseCommand.ts"
import { exportCommand, verifyCommand } from "./EventCommands.ts"
import { keysCommand } from "./KeysCommand.ts"
import { logsCommand } from "./LogsCommand.ts"
import { migrateCommand } from "./MigrateCommand.ts"
import { nodesCommand } from "./NodesCommand.ts"
import { reconcileCommand } from "./ReconcileCommand.ts"
import { replayMarketCommand } from "./ReplayMarketCommand.ts"
import { restoreCommand } from "./RestoreCommand.ts"
import { serveCommand } from "./ServeCommand.ts"
import { timeCommand } from "./TimeCommand.ts"
import { triggerCommand } from "./TriggerCommand.ts"
import { webhooksCommand } from "./WebhooksCommand.ts"

/** The platform's operating commands. */
export const emporion = Command.make("emporion").pipe(
  Command.withDescription("Operates an Emporion platform. Its settings are those of the server."),
  Command.withSubcommands([
    serveCommand,
    doctorCommand,
    migrateCommand,
    adminCommand,
    keysCommand,
    eraseCommand,
    breakerCommand,
    nodesCommand,
    logsCommand,
    verifyCommand,
    reconcileCommand,
    exportCommand,
    archiveCommand,
    replayMarketCommand,
    backupCommand,
    restoreCommand,
    webhooksCommand,
    triggerCommand,
    timeCommand
  ])
)
