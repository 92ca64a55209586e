import { describe, expect, it } from "bun:test"
import { merged, readJUnit, summary } from "../../scripts/TestReport.ts"

const xml = `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="bun test" tests="6" assertions="2" failures="2" skipped="1" time="0.02">
  <testsuite name="test/a.test.ts" file="test/a.test.ts" tests="3" failures="1" skipped="1" time="0.002">
    <testsuite name="inner" file="test/a.test.ts" tests="3" time="9" />
  </testsuite>
  <testsuite name="test/b.test.ts" file="test/b.test.ts" tests="3" failures="1" skipped="0" time="0.5">
  </testsuite>
</testsuites>`

describe("TestReport", () => {
  it("counts skipped tests as failed", () => {
    const report = readJUnit(xml, ["test/a.test.ts", "test/b.test.ts"])
    expect(summary(report)).toBe("3 passed, 3 failed")
    expect(report.files.map(({ file }) => file)).toEqual(["test/b.test.ts", "test/a.test.ts"])
  })

  it("counts a file that reported no test as failed", () => {
    const report = readJUnit(xml, ["test/a.test.ts", "test/b.test.ts", "test/c.test.ts"])
    expect(report.silent).toEqual(["test/c.test.ts"])
    expect(report.failed).toBe(4)
  })

  it("adds up the reports of several runs, with the slowest file of any first", () => {
    const one = readJUnit(xml, ["test/a.test.ts", "test/b.test.ts"])
    const other = readJUnit(xml.replaceAll("test/", "other/").replace("0.5", "9"), ["other/c.test.ts"])
    const report = merged([one, other])
    expect(summary(report)).toBe("6 passed, 7 failed")
    expect(report.skipped).toBe(2)
    expect(report.silent).toEqual(["other/c.test.ts"])
    expect(report.files.map(({ file }) => file).slice(0, 2)).toEqual(["other/b.test.ts", "test/b.test.ts"])
    expect(merged([one])).toEqual(one)
  })

  it("names the tests that failed, from the outermost group inwards", () => {
    const cases = `<testcase name="is &quot;so&quot;" classname="in &amp; ner &gt; a &lt;b&gt;" time="0.1" file="test/a.test.ts" line="2">
      <failure type="AssertionError" message="no" />
    </testcase>
    <testcase name="ok" classname="" file="test/a.test.ts" />
    <testcase name="later" classname="a" file="test/a.test.ts">
      <skipped />
    </testcase>
    <testcase name="alone" classname="" file="test/b.test.ts">
      <failure type="TimeoutError" />
    </testcase>`
    const report = readJUnit(xml.replace("</testsuites>", `${cases}</testsuites>`), ["test/a.test.ts"])
    expect(report.broken).toEqual(['test/a.test.ts: a <b> > in & ner > is "so"', "test/b.test.ts: alone"])
    expect(merged([report, report]).broken).toHaveLength(4)
  })

  it("passes nothing when the report is empty", () => {
    expect(readJUnit("", ["test/a.test.ts"])).toMatchObject({ passed: 0, failed: 1 })
  })
})
