import { describe, expect, it } from "bun:test"
import { Result } from "effect"
import type { CompanyEvent } from "../../../engine/company/CompanyEvent.ts"
import { CompanyReplay } from "../../../engine/replay/CompanyReplay.ts"

const stored = (stream: string) => ({ seq: 1, stream, version: 1, type: "T", data: "", hash: "" })
const by = { userId: "u", requestId: null, administers: false }
const profile = { name: "n", taxId: null, email: null, phone: null, country: null, address: null }
const made: CompanyEvent = { _tag: "CompanyCreated", at: 1, by, companyId: "c", managedBy: "m", profile }

describe("CompanyReplay", () => {
  it("moves nothing", () => {
    expect(new CompanyReplay().decide(made, stored("companies/m"))).toEqual(Result.succeed([]))
  })

  it("refuses an event in another stream, and a company that is made twice", () => {
    const replay = new CompanyReplay()
    expect(Result.isFailure(replay.decide(made, stored("companies/unmanaged")))).toBe(true)
    expect(Result.isFailure(replay.decide({ ...made, _tag: "CompanyVerified" }, stored("company/d")))).toBe(true)
    replay.evolve(made)
    expect(Result.isFailure(replay.decide(made, stored("companies/m")))).toBe(true)
  })
})
