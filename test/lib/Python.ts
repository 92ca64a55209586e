import { join } from "node:path"

export const PYTHON_PACKAGE = join(import.meta.dir, "../../packages/client-python")

/** Where a Python may be; a machine's packages belong to its own, which another one may hide. */
const CANDIDATES = ["python3", "/usr/bin/python3"]

/** What must be there, so that nothing is left unchecked. */
const NEEDED = "import sys, websockets, mypy; assert sys.version_info >= (3, 10)"

const REMEDY =
  "no Python 3.10 that has `websockets` and `mypy`: on Debian `apt-get install python3 python3-websockets mypy`, " +
  "elsewhere `pip install websockets mypy`"

let found: string | undefined

/** A Python that can run the client and check its types. Throws how to get it. */
export const python = (): string => {
  found ??= CANDIDATES.find((candidate) => {
    const path = Bun.which(candidate)
    return path !== null && Bun.spawnSync([path, "-c", NEEDED], { stdin: "ignore", stderr: "ignore" }).success
  })
  if (found === undefined) throw new Error(REMEDY)
  return found
}

/** Runs a script that imports the client, without installing it. */
export const pythonCommand = (...words: ReadonlyArray<string>): ReadonlyArray<string> => [
  "env",
  `PYTHONPATH=${PYTHON_PACKAGE}`,
  "PYTHONDONTWRITEBYTECODE=1",
  python(),
  "-u",
  "-W",
  "error",
  ...words
]

/** The examples of a page that import the package. */
export const pythonExamplesOf = (markdown: string): ReadonlyArray<string> =>
  [...markdown.matchAll(/(?<=```python\n)[\s\S]*?(?=```)/g)]
    .map(([code]) => code)
    .filter((code) => /^from emporion\b/m.test(code))
