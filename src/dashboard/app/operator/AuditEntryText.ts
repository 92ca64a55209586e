type Facts = Readonly<Record<string, string | boolean | null>> | null

const shown = (value: string | boolean | null | undefined): string =>
  value === undefined || value === null || value === ""
    ? "nothing"
    : value === true
      ? "yes"
      : value === false
        ? "no"
        : value

/** What an act changed, field by field: `role: buyer, now admin`. */
export const changesOf = (before: Facts, after: Facts): ReadonlyArray<string> => {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  return names
    .map((name) => [name, shown(before?.[name]), shown(after?.[name])] as const)
    .filter(([, was, is]) => was !== is)
    .map(([name, was, is]) => (before?.[name] === undefined ? `${name}: ${is}` : `${name}: ${was}, now ${is}`))
}
