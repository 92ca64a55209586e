import { describe, expect, it } from "bun:test"
import { changesOf } from "../../../../../src/dashboard/app/operator/AuditEntryText.ts"

describe("What an act changed", () => {
  it("is told field by field, without what stayed", () => {
    expect(changesOf({ role: "buyer", status: "active" }, { role: "admin", status: "active" })).toEqual([
      "role: buyer, now admin"
    ])
    expect(changesOf({ suspended: false, reason: null }, { suspended: true, reason: "" })).toEqual([
      "suspended: no, now yes"
    ])
    expect(changesOf({ principal: "usr_1" }, null)).toEqual(["principal: usr_1, now nothing"])
  })

  it("is what is there, where nothing was before", () => {
    expect(changesOf(null, { asset: "USD", units: "5", note: null })).toEqual(["asset: USD", "units: 5"])
    expect(changesOf({ status: "pending" }, { status: "verified", user_id: "usr_1" })).toEqual([
      "status: pending, now verified",
      "user_id: usr_1"
    ])
    expect(changesOf(null, null)).toEqual([])
  })
})
