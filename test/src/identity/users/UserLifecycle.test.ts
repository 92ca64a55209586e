import { describe, expect, it } from "bun:test"
import { Result } from "effect"
import fc from "fast-check"
import type { UserStatus } from "../../../../src/identity/users/User.ts"
import { after } from "../../../../src/identity/users/UserLifecycle.ts"
import type { StatusAct } from "../../../../src/identity/users/UserLifecycle.ts"
import { runs } from "../../../lib/Property.ts"

const STATUSES: ReadonlyArray<UserStatus> = ["pending_kyc", "active", "suspended", "rejected"]
const ACTS: ReadonlyArray<StatusAct> = ["verify", "reject", "suspend", "reactivate"]

const told = (status: UserStatus, act: StatusAct): string =>
  Result.match(after(status, act), { onSuccess: (next) => next, onFailure: ({ _tag }) => _tag })

describe("The life of a user", () => {
  it("is this table", () => {
    const table = STATUSES.map((status) => [status, ...ACTS.map((act) => told(status, act))])
    const no = "IllegalTransition"
    expect(table).toEqual([
      ["pending_kyc", "active", "rejected", no, no],
      ["active", "active", no, "suspended", "active"],
      ["suspended", no, no, "suspended", "active"],
      ["rejected", no, "rejected", no, no]
    ])
  })

  it("never leaves rejected, never comes back to pending_kyc, and is active only after a verification", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...ACTS), { maxLength: 30 }), (acts) => {
        let status: UserStatus = "pending_kyc"
        const verified: Array<StatusAct> = []
        for (const act of acts) {
          const before: UserStatus = status
          status = Result.getOrElse(after(status, act), () => before)
          verified.push(act)
          if (before === "rejected") expect(status).toBe("rejected")
          if (before !== "pending_kyc") expect(status).not.toBe("pending_kyc")
          if (status === "active" || status === "suspended") expect(verified).toContain("verify")
        }
      }),
      { numRuns: runs() }
    )
  })
})
