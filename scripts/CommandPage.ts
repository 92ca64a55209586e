import { Effect, Layer } from "effect"
import { CliConfig, CliOutput, Command, GlobalFlag, type HelpDoc } from "effect/cli"
import * as CliEnvironment from "../src/cli/CliEnvironment.ts"
import { emporion } from "../src/cli/Commands.ts"
import { helpText } from "../src/cli/Usage.ts"

/** Columns of the page's help. */
const COLUMNS = 100

/** The help of a command, by its path after `emporion`. */
const helpOf = (path: ReadonlyArray<string>): Effect.Effect<HelpDoc.HelpDoc> =>
  Effect.gen(function* () {
    const shown: Array<HelpDoc.HelpDoc> = []
    const presenter: CliOutput.Presenter = {
      present: (event) => Effect.sync(() => void (event._tag === "Help" && shown.push(event.helpDoc)))
    }
    yield* Command.runWith(emporion, { version: "" })([...path, "--help"]).pipe(
      Effect.provide(
        Layer.mergeAll(
          CliEnvironment.layer,
          CliOutput.layerPresenter(presenter),
          CliConfig.layer({ builtIns: [GlobalFlag.Help, GlobalFlag.Version, GlobalFlag.Completions] })
        )
      ),
      Effect.orDie
    )
    const [doc] = shown
    return doc ?? (yield* Effect.die(new Error(`no help of ${path.join(" ")}`)))
  })

const section = (path: ReadonlyArray<string>): Effect.Effect<string> =>
  Effect.gen(function* () {
    const doc = yield* helpOf(path)
    const names = (doc.subcommands ?? []).flatMap(({ commands }) => commands.map(({ name }) => name))
    const inner = yield* Effect.forEach(names, (name) => section([...path, name]))
    // One that only holds others has no flags, and says nothing that they do not say.
    const own = path.length === 0 || names.length === 0 || doc.flags.length > 0
    const heading = `## ${["emporion", ...path].join(" ")}`
    const text = own ? [heading, "", "```", helpText(doc, COLUMNS), "```", ""].join("\n") : ""
    return [...(text === "" ? [] : [text]), ...inner].join("\n")
  })

/** Every command's help, one section each. */
export const commandHelp: Effect.Effect<string> = section([])
