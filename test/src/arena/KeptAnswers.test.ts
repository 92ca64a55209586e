import { describe, expect, it } from "bun:test"
import * as fc from "fast-check"
import { KeptAnswers, MAX_AGE, MAX_KEPT_BYTES } from "../../../src/arena/KeptAnswers.ts"
import { runs } from "../../lib/Property.ts"

const step = fc.oneof(
  fc.record({ what: fc.constantFrom("begin", "outdate"), stream: fc.nat(3) }),
  fc.record({ what: fc.constantFrom("found", "missing"), stream: fc.nat(3), reading: fc.nat(5) })
)

describe("KeptAnswers", () => {
  it("keeps a reading that nothing outdated, and nothing of one that ended", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const answers = new KeptAnswers()
        const open: Array<{ readonly stream: string; readonly reading: symbol; version: number }> = []
        const versions = new Map<string, number>()
        steps.forEach((taken, at) => {
          const stream = String(taken.stream)
          const version = versions.get(stream) ?? 0
          if (taken.what === "begin") open.push({ stream, reading: answers.begin(stream), version })
          if (taken.what === "outdate") {
            versions.set(stream, version + 1)
            answers.outdate(stream)
          }
          if (!("reading" in taken)) return
          const ended = open.splice(taken.reading, 1)[0]
          if (ended === undefined) return
          if (taken.what === "found") {
            answers.keep(ended.stream, ended.reading, { body: new Uint8Array([ended.version]), at })
          }
          answers.end(ended.stream, ended.reading)
        })
        for (const [stream, version] of versions) {
          const kept = answers.find(stream, 0)
          if (kept !== undefined) expect(kept[0]).toBe(version)
        }
        for (const { stream, reading } of open) answers.end(stream, reading)
        expect(answers.size.readings).toBe(0)
      }),
      { numRuns: runs() }
    )
  })

  it("finds an answer until it is too old", () => {
    const answers = new KeptAnswers()
    answers.keep("order-1", answers.begin("order-1"), { body: new Uint8Array([1]), at: 10 })
    expect(answers.find("order-1", 9 + MAX_AGE)).toEqual(new Uint8Array([1]))
    expect(answers.find("order-1", 10 + MAX_AGE)).toBeUndefined()
  })

  it("makes room by dropping what was kept longest", () => {
    const answers = new KeptAnswers()
    const body = new Uint8Array(MAX_KEPT_BYTES / 4)
    for (let at = 0; at < 10; at++) {
      const stream = `order-${at}`
      const reading = answers.begin(stream)
      answers.keep(stream, reading, { body, at })
      answers.end(stream, reading)
    }
    expect(answers.size).toEqual({ answers: 4, bytes: MAX_KEPT_BYTES, readings: 0 })
    expect(answers.find("order-5", 9)).toBeUndefined()
    expect(answers.find("order-6", 9)).toBe(body)
  })
})
