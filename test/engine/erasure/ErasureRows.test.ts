import { describe, expect, it } from "bun:test"
import { erasureRows } from "../../../engine/erasure/ErasureRows.ts"

describe("erasureRows", () => {
  it("is one entry of the audit log, which says who did it and nothing of the person", () => {
    const by = { userId: "usr_a", requestId: "req_1", administers: true }
    const event = { _tag: "UserErased", at: 5, by, userId: "usr_b", companyId: "cmp_b", companyErased: true } as const
    const rows = erasureRows({ event, seq: 7, version: 1, hash: new Uint8Array(32) } as never)
    expect(rows).toEqual([
      {
        _tag: "Ensure",
        row: {
          table: "audit_log",
          values: ["7", "5", "usr_a", "user.erase", "usr_b", null, '{"company_erased":true}', "req_1"]
        }
      }
    ])
  })
})
