import { Option } from "effect"
import type { CliError, HelpDoc } from "effect/cli"

/** Widest line of help, and least room for what stands beside a name. */
const WIDEST = 100
const LEAST = 30

const wrapped = (text: string, width: number): ReadonlyArray<string> => {
  const lines: Array<string> = []
  let line = ""
  for (const word of text.split(/\s+/)) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else line = line === "" ? word : `${line} ${word}`
  }
  return line === "" ? lines : [...lines, line]
}

type Entry = readonly [name: string, text: string]

/** Names in a column and their texts beside it. */
const section = (title: string, entries: ReadonlyArray<Entry>, width: number): ReadonlyArray<string> => {
  if (entries.length === 0) return []
  const column = Math.max(...entries.map(([name]) => name.length)) + 4
  const lines = entries.flatMap(([name, text]) => {
    const [first = "", ...rest] = wrapped(text, Math.max(LEAST, width - column))
    return [`  ${name.padEnd(column - 2)}${first}`.trimEnd(), ...rest.map((line) => " ".repeat(column) + line)]
  })
  return ["", title, ...lines]
}

const described = (text: Option.Option<string>): string => Option.getOrElse(text, () => "")

const flagEntry = ({ name, aliases, type, description }: HelpDoc.FlagDoc): Entry => [
  [`--${name}`, ...aliases].join(", ") + (type === "boolean" ? "" : ` ${type}`),
  described(description)
]

const argumentEntry = ({ name, description }: HelpDoc.ArgDoc): Entry => [name, described(description)]

const exampleLines = ({ command, description }: HelpDoc.ExampleDoc): ReadonlyArray<string> => [
  ...(description === undefined ? [] : [`  # ${description}`]),
  `  ${command}`
]

const GLOBAL: Readonly<Record<string, Entry>> = {
  help: ["--help, -h", "Show this"],
  version: ["--version", "Show the version"],
  completions: ["--completions SHELL", "Print completions for bash, zsh, fish or powershell"]
}

/** A command's help, laid out for so many columns. */
export const helpText = (doc: HelpDoc.HelpDoc, columns: number): string => {
  const width = Math.min(columns, WIDEST)
  const isRoot = (doc.commandPath ?? []).length < 2 && (doc.subcommands ?? []).length > 0
  const commands = (doc.subcommands ?? []).flatMap((group) => group.commands)
  const everywhere = (doc.globalFlags ?? []).filter(({ name }) => isRoot || name === "help")
  const flags = [
    ...doc.flags.map(flagEntry),
    ...everywhere.flatMap(({ name }) => (GLOBAL[name] === undefined ? [] : [GLOBAL[name]]))
  ]
  const examples = doc.examples ?? []
  return [
    `Usage: ${doc.usage}`,
    "",
    ...wrapped(doc.description, width),
    ...section(
      "Commands",
      commands.map(({ name, shortDescription, description }): Entry => [name, shortDescription ?? description]),
      width
    ),
    ...section("Arguments", (doc.args ?? []).map(argumentEntry), width),
    ...section("Flags", flags, width),
    ...(examples.length === 0 ? [] : ["", "Examples", ...examples.flatMap(exampleLines)])
  ].join("\n")
}

const meant = (suggestions: ReadonlyArray<string>): string =>
  suggestions.length === 0 ? "" : ` Did you mean ${suggestions.join(" or ")}?`

const problem = (error: CliError.NonShowHelpErrors): string => {
  switch (error._tag) {
    case "UnrecognizedOption":
      return `There is no flag ${error.option}.${meant(error.suggestions)}`
    case "UnknownSubcommand":
      return `There is no command ${error.subcommand}.${meant(error.suggestions)}`
    case "UnexpectedArgument":
      return `${error.arguments.join(" ")} is one argument too many.`
    case "MissingArgument":
      return `The argument ${error.argument} is missing.`
    case "MissingOption":
      return `The flag --${error.option} is missing.`
    default:
      return `${error.message.replace("a string representing a finite number", "a number").replace(/\.$/, "")}.`
  }
}

/** What is wrong with a command line, on one line, and where to read on. */
export const invalidText = (
  commandPath: ReadonlyArray<string>,
  errors: ReadonlyArray<CliError.NonShowHelpErrors>
): string => {
  const path = commandPath.join(" ")
  return `${path}: ${errors.map(problem).join(" ")} See: ${path} --help`
}
