import { describe, expect, it } from "bun:test"
import { paths, textOf } from "./Source.ts"

const MAX_LINES = 400
const MAX_WIDTH = 120

const PACKAGE = "packages/client-python"

/** Made from the contract, whole. */
const GENERATED: ReadonlySet<string> = new Set(
  ["contract", "operations"].map((name) => `${PACKAGE}/emporion/${name}.py`)
)

const VAGUE = /^(utils?|common|helpers?|types|misc|shared|constants?)$/

/** Marks are put together here, so that this file does not hold what it looks for. */
const mark = (...parts: ReadonlyArray<string>): RegExp => new RegExp(parts.join(""))
const SUPPRESSION = mark("type: ", "ignore|# ", "noqa|pragma: ", "no cover|# mypy:|pylint:")
const LATER = mark("\\b(TO", "DO|FIX", "ME|XX", "X|HA", "CK)\\b")
const SKIPPED = mark("\\bsk", "ip(If|Unless|Test)?\\(|unittest\\.sk", "ip\\b|expected", "Failure")

/** What is wrong with a file in Python, a line each. */
const violations = (path: string, text: string): ReadonlyArray<string> => {
  const lines = text.trimEnd().split("\n")
  const name = /([^/]*)\.py$/.exec(path)?.[1] ?? ""
  const isOwn = !GENERATED.has(path)
  const whole = [
    ...(VAGUE.test(name) ? ["says nothing about what it holds"] : []),
    ...(/^(__init__|[a-z][a-z0-9_]*)$/.test(name) ? [] : ["is not in small letters"]),
    ...(text.startsWith('"""') ? [] : ["does not say what it is"]),
    ...(isOwn && lines.length > MAX_LINES ? [`has ${lines.length} lines`] : [])
  ]
  const each = lines.flatMap((line, index) => {
    const found = [
      ...(SUPPRESSION.test(line) ? ["switches a check off"] : []),
      ...(LATER.test(line) ? ["leaves something for later"] : []),
      ...(SKIPPED.test(line) ? ["leaves a test out"] : []),
      ...(isOwn && line.length > MAX_WIDTH ? [`is ${line.length} characters wide`] : [])
    ]
    return found.map((what) => `${path}:${index + 1} ${what}`)
  })
  return [...whole.map((what) => `${path} ${what}`), ...each]
}

const HEAD = '"""What it is."""\n'

describe("A file in Python", () => {
  it.each([
    ["emporion/utils.py", HEAD, "says nothing"],
    ["emporion/LaneStream.py", HEAD, "small letters"],
    ["emporion/lane.py", "import asyncio\n", "does not say"],
    ["emporion/lane.py", HEAD + "a = 1\n".repeat(MAX_LINES), "lines"],
    ["emporion/lane.py", `${HEAD}a = "${"a".repeat(MAX_WIDTH)}"\n`, "wide"],
    ["emporion/lane.py", ["# TO", "DO: more"].join(""), "later"],
    ["emporion/lane.py", ["a = b  # type: ", "ignore[misc]"].join(""), "off"],
    ["tests/test_lane.py", ["@unittest.sk", 'ip("slow")'].join(""), "out"]
  ])("is seen to break a rule: %s", (path, text, what) => {
    expect(violations(path, text).some((line) => line.includes(what))).toBe(true)
  })

  it("keeps the rules of the house", () => {
    const files = paths(`${PACKAGE}/{emporion,tests}/*.py`)
    expect(files.length).toBeGreaterThan(20)
    expect(files.flatMap((path) => violations(path, textOf(path) ?? ""))).toEqual([])
  })
})

describe("The package for Python", () => {
  const tests = new Set(paths(`${PACKAGE}/tests/test_*.py`).map((path) => path.replace(/^.*test_/, "")))

  it("has a version, and the same as the one for TypeScript", () => {
    const version = (path: string, pattern: RegExp) => pattern.exec(textOf(path) ?? "")?.[1]
    const own = version(`${PACKAGE}/pyproject.toml`, /^version = "(.*)"$/m)
    expect(own).toBeDefined()
    expect(own).toBe(version("packages/client/package.json", /"version": "(.*)"/))
  })

  it("has tests for what its users import", () => {
    expect(
      ["client.py", "stream.py", "fast_lane.py", "webhooks.py", "types.py"].filter((name) => !tests.has(name))
    ).toEqual([])
  })
})
