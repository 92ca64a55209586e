import { describe, expect, it } from "bun:test"
import { MAX_PAUSE, Pauses } from "../../../src/database/Pauses.ts"

describe("Pauses", () => {
  it("is settled as long as the process goes on", () => {
    const pauses = new Pauses(0n)
    expect(pauses.isSettled(MAX_PAUSE)).toBe(true)
    expect(pauses.goOn(MAX_PAUSE)).toBeUndefined()
    expect(pauses.isSettled(2n * MAX_PAUSE)).toBe(true)
  })

  it("is not settled behind a pause, whoever notices it first, before it was looked into", () => {
    const pauses = new Pauses(0n)
    expect(pauses.isSettled(MAX_PAUSE + 1n)).toBe(false)
    const settle = pauses.goOn(MAX_PAUSE + 1n)
    expect(pauses.isSettled(MAX_PAUSE + 2n)).toBe(false)
    settle?.()
    expect(pauses.isSettled(MAX_PAUSE + 2n)).toBe(true)
  })

  it("is not settled by a look that began before the last pause", () => {
    const pauses = new Pauses(0n)
    const settle = pauses.goOn(2n * MAX_PAUSE)
    const again = pauses.goOn(4n * MAX_PAUSE)
    settle?.()
    expect(pauses.isSettled(4n * MAX_PAUSE)).toBe(false)
    again?.()
    expect(pauses.isSettled(4n * MAX_PAUSE)).toBe(true)
  })
})
