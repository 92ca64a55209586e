import { describe, expect, it } from "bun:test"
import { parsePostmaster, readPostmaster } from "../../../src/database/Postmaster.ts"

describe("postmaster.pid", () => {
  it("says the process and its status", () => {
    const lines = ["4711", "/data/postgres", "1763725000", "5432", "/data/socket", "", "  5432001 32769", "ready   "]
    expect(parsePostmaster(`${lines.join("\n")}\n`)).toEqual({ pid: 4711, status: "ready" })
  })

  it("is written line by line, so the status may be missing", () => {
    expect(parsePostmaster("4711\n/data/postgres\n")).toEqual({ pid: 4711, status: "" })
  })

  it("may be empty, damaged, a single server's, or missing", () => {
    expect(["", "\n", "x\n", "-5\n/data\n"].map(parsePostmaster)).toEqual(Array(4).fill(undefined))
    expect(readPostmaster("/nowhere")).toBeUndefined()
  })
})
