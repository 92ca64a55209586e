interface SourceText {
  /** From the repository's root. */
  readonly path: string
  readonly text: string
}

const COMMENT = String.raw`/\*\*((?:(?!\*/)[\s\S])*)\*/\n`

/** What the file says of itself at its beginning, else of what has its name. Undefined where nothing is described. */
const commentOf = ({ path, text }: SourceText): string | undefined => {
  if (path.endsWith(".py")) return /^"""([\s\S]*?)"""/.exec(text)?.[1]?.replaceAll("``", "`")
  const own = new RegExp(
    String.raw`${COMMENT}export (?:abstract )?(?:class|const|interface|type|function) ${nameOf(path)}\b`
  )
  return [new RegExp(`^${COMMENT}\\n`), own, new RegExp(`${COMMENT}export `), new RegExp(COMMENT)]
    .map((one) => one.exec(text)?.[1])
    .find(Boolean)
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1).replace(/\.(ts|py)$/, "")

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf("/"))

/** The first sentence of what a file says of itself. */
export const headOf = (source: SourceText): string =>
  (commentOf(source) ?? "")
    .replaceAll(/^\s*\* ?/gm, "")
    .replaceAll(/\{@link (\w+)\}/g, "`$1`")
    .replaceAll(/\s+/g, " ")
    .trim()
    .split(/(?<=\.) /)[0] ?? ""

/** Every module of the engine and the program with what it says of itself, by folder. */
export const modulePage = (made: string, sources: ReadonlyArray<SourceText>): string => {
  const modules = sources.filter(({ path }) => !/\/(migrations|app)\//.test(path))
  const lines = [made, "# Modules", "", "Each file has one idea, which its first sentence says.", ""]
  for (const folder of [...new Set(modules.map(({ path }) => folderOf(path)))].toSorted()) {
    lines.push(`## ${folder}`, "")
    for (const source of modules.filter(({ path }) => folderOf(path) === folder)) {
      const head = headOf(source)
      lines.push(head === "" ? `- \`${nameOf(source.path)}\`` : `- \`${nameOf(source.path)}\`: ${head}`)
    }
    lines.push("")
  }
  return lines.join("\n")
}
