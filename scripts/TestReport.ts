/** What a test run came to. Skipped tests and files that reported nothing count as failed: nothing is skipped silently. */
export interface TestReport {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  /** Files that were to run and reported no test: they did not load, or hold none. */
  readonly silent: ReadonlyArray<string>
  /** Tests that failed: file and full name. */
  readonly broken: ReadonlyArray<string>
  /** Seconds by file, slowest first. */
  readonly files: ReadonlyArray<{ readonly file: string; readonly seconds: number }>
}

const attribute = (tag: string, name: string): string => new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? ""

const unescape = (text: string): string =>
  text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&apos;", "'")
    .replaceAll("&amp;", "&")

/** A failed test by its file and full name; the runner names the innermost group first. */
const nameOf = (tag: string): string => {
  const groups = unescape(attribute(tag, "classname"))
    .split(" > ")
    .filter((group) => group !== "")
    .toReversed()
  return `${unescape(attribute(tag, "file"))}: ${[...groups, unescape(attribute(tag, "name"))].join(" > ")}`
}

/** Reads a JUnit report of the runner; `expected` are the files that were to run. */
export const readJUnit = (xml: string, expected: ReadonlyArray<string>): TestReport => {
  const root = /<testsuites [^>]*>/.exec(xml)?.[0] ?? ""
  const tests = Number(attribute(root, "tests"))
  const failures = Number(attribute(root, "failures"))
  const skipped = Number(attribute(root, "skipped"))
  const files = [...xml.matchAll(/^ {2}<testsuite [^>]*>/gm)]
    .map(([tag]) => ({ file: unescape(attribute(tag, "file")), seconds: Number(attribute(tag, "time")) }))
    .toSorted((one, other) => other.seconds - one.seconds)
  const reported = new Set(files.map(({ file }) => file))
  const silent = expected.filter((file) => !reported.has(file))
  return {
    passed: tests - failures - skipped,
    failed: failures + skipped + silent.length,
    skipped,
    silent,
    broken: [...xml.matchAll(/(<testcase [^>]*[^/]>)\s*<(?:failure|error)/g)].map(([, tag = ""]) => nameOf(tag)),
    files
  }
}

/** Several reports as one. */
export const merged = (reports: ReadonlyArray<TestReport>): TestReport => {
  const sum = (count: (report: TestReport) => number): number =>
    reports.reduce((total, report) => total + count(report), 0)
  return {
    passed: sum(({ passed }) => passed),
    failed: sum(({ failed }) => failed),
    skipped: sum(({ skipped }) => skipped),
    silent: reports.flatMap(({ silent }) => silent),
    broken: reports.flatMap(({ broken }) => broken),
    files: reports.flatMap(({ files }) => files).toSorted((one, other) => other.seconds - one.seconds)
  }
}

/** The line that other programs read. */
export const summary = (report: Pick<TestReport, "passed" | "failed">): string =>
  `${report.passed} passed, ${report.failed} failed`
