/**
 * The command line, loaded ahead: says when it is, and runs the arguments that it reads from standard input. So a kill
 * strikes a command that works, and not a runtime that loads it. Each step of the command is announced on standard output
 * while it begins and when it is done: the spans of what ships.
 */
import "../../src/App.ts"
import { type Exit, Tracer } from "effect"
import { Command } from "effect/cli"
import { writeSync } from "node:fs"
import manifest from "../../package.json" with { type: "json" }
import { emporion } from "../../src/cli/Commands.ts"
import { runCommand } from "../../src/cli/RunCommand.ts"

/** Statements of SQL have the database in their names. */
const nameOf = ({ kind, name }: Pick<Tracer.Span, "kind" | "name">): string => (kind === "client" ? "sql" : name)

/** Writes at once what fits into the pipe, and the rest when there is room. */
const announce = (what: "step" | "done", span: Pick<Tracer.Span, "kind" | "name">): void => {
  const bytes = Buffer.from(`${what} ${nameOf(span)}\n`)
  for (let written = 0; written < bytes.length;) {
    try {
      written += writeSync(1, bytes, written)
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EAGAIN")) throw error
    }
  }
}

/** A span that says when it is over. */
class AnnouncedSpan extends Tracer.NativeSpan {
  override end(endTime: bigint, exit: Exit.Exit<unknown, unknown>): void {
    const isFirst = this.status._tag === "Started"
    super.end(endTime, exit)
    if (isFirst) announce("done", this)
  }
}

const announcing = Tracer.make({
  span: (options) => {
    announce("step", options)
    return new AnnouncedSpan(options)
  }
})

process.stdout.write("loaded\n")
const [line = "[]"] = (await Bun.stdin.text()).split("\n")
process.argv.splice(2, Infinity, ...(JSON.parse(line) as ReadonlyArray<string>))
runCommand(Command.provideSync(emporion, Tracer.Tracer, announcing), manifest.version)
