import { describe, expect, it } from "bun:test"
import { type Source, source } from "./Source.ts"

/** A rule of the house over a set of files. */
export interface Rule {
  readonly name: string
  /** What is wrong, a line each: `path:line what`. The sources are all the files the rule looks at. */
  readonly violations: (sources: ReadonlyArray<Source>) => ReadonlyArray<string>
  /** The files that must keep it; there must be some. */
  readonly over: ReadonlyArray<Source>
  /** Files that break it, each found at least once: proof that the rule sees. */
  readonly broken: ReadonlyArray<readonly [path: string, text: string]>
  /** Files that keep it though they look as if they did not. */
  readonly kept?: ReadonlyArray<readonly [path: string, text: string]>
}

/** Declares the tests of a rule: it finds each planted violation, passes what is right, and the project keeps it. */
export const keep = (rule: Rule): void => {
  describe(rule.name, () => {
    for (const [path, text] of rule.broken) {
      it(`finds ${text.trim().split("\n").at(-1)?.slice(0, 80)} in ${path}`, () => {
        const found = rule.violations([source(path, text)])
        expect(found.length).toBeGreaterThan(0)
        expect(found.every((line) => line.startsWith(path))).toBe(true)
      })
    }
    for (const [path, text] of rule.kept ?? []) {
      it(`passes ${text.trim().split("\n").at(-1)?.slice(0, 80)} in ${path}`, () => {
        expect(rule.violations([source(path, text)])).toEqual([])
      })
    }
    it("is kept", () => {
      expect(rule.broken.length).toBeGreaterThan(0)
      expect(rule.over.length).toBeGreaterThan(0)
      expect(rule.violations(rule.over)).toEqual([])
    })
  })
}

/** One line of a report. */
export const at = (file: Source, line: number, what: string): string => `${file.path}:${line} ${what}`
