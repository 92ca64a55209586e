import { describe, expect } from "bun:test"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import fc from "fast-check"
import { Settings } from "../../../src/Config.ts"
import { OPERATOR } from "../../../src/identity/accounts/AdminAccount.ts"
import { servicesWith } from "../../../src/identity/IdentityModule.ts"
import { KycRecords } from "../../../src/identity/KycRecords.ts"
import { UserAdministration } from "../../../src/identity/users/UserAdministration.ts"
import type { StatusAct } from "../../../src/identity/users/UserLifecycle.ts"
import { Users } from "../../../src/identity/users/Users.ts"
import { Kyc } from "../../../src/kyc/Kyc.ts"
import { records } from "../../../src/kyc/KycModule.ts"
import { withLayer } from "../../lib/Effects.ts"
import { property } from "../../lib/Property.ts"
import { kycFacts } from "../../lib/rows/KycRows.ts"
import * as TestDatabase from "../../lib/TestDatabase.ts"
import { mailbox, registration } from "../../lib/TestIdentity.ts"

const it = withLayer(
  Kyc.layer.pipe(
    Layer.provideMerge(servicesWith(records)),
    Layer.provideMerge(Layer.mergeAll(TestDatabase.layer, Settings.layerOf({}), mailbox.layer))
  )
)

type Step =
  | { readonly act: "submit"; readonly address: string }
  | { readonly act: "verifyRecord" | "rejectRecord" }
  | { readonly act: "user"; readonly status: StatusAct }

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ act: fc.constant("submit" as const), address: fc.constantFrom("here", "there") })
  },
  { weight: 3, arbitrary: fc.record({ act: fc.constantFrom("verifyRecord" as const, "rejectRecord" as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      act: fc.constant("user" as const),
      status: fc.constantFrom<StatusAct>("verify", "verify", "reject", "suspend", "reactivate")
    })
  }
)

/** What must become of one person, by the tables of the documentation. */
class Paper {
  user = "pending_kyc"
  record: "none" | "pending" | "verified" | "rejected" = "none"
  address = ""
  /** Entries that the audit log must have. */
  readonly acts: Array<string> = []

  get isOpen(): boolean {
    return this.record === "pending" || this.record === "verified"
  }

  submit(address: string): string {
    if (this.isOpen) return this.address === address ? "done" : "KycOpen"
    if (this.user === "rejected") return "KycBarred"
    this.record = "pending"
    this.address = address
    return "done"
  }

  review(verdict: "verified" | "rejected"): string {
    if (this.record === "none") return "KycNotFound"
    if (this.record === verdict) return "done"
    if (this.record !== "pending") return "KycDecided"
    this.decide(verdict)
    if (verdict === "verified" && this.user === "pending_kyc") this.become("active", "verify")
    return "done"
  }

  administer(act: StatusAct): string {
    const [from, to] = {
      verify: ["pending_kyc", "active"],
      reject: ["pending_kyc", "rejected"],
      suspend: ["active", "suspended"],
      reactivate: ["suspended", "active"]
    }[act] as [string, string]
    if (this.user === to) return "done"
    if (this.user !== from) return "IllegalTransition"
    if (act === "verify" && !this.isOpen) return "KycMissing"
    this.become(to, act)
    if (this.record === "pending" && (act === "verify" || act === "reject")) {
      this.decide(act === "verify" ? "verified" : "rejected")
    }
    return "done"
  }

  private decide(verdict: "verified" | "rejected"): void {
    this.record = verdict
    this.acts.push(verdict === "verified" ? "kyc.verify" : "kyc.reject")
  }

  private become(status: string, act: StatusAct): void {
    this.user = status
    this.acts.push(`user.${act}`)
  }
}

const submission = (address: string) => ({
  ...kycFacts,
  address,
  phoneNumber: Redacted.make(kycFacts.phoneNumber),
  identityId: Redacted.make(kycFacts.identityId)
})

const outcomeOf = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  effect.pipe(
    Effect.map(() => "done"),
    Effect.catch(({ _tag }) => Effect.succeed(_tag))
  )

const administrator = Effect.gen(function* () {
  const { register } = yield* Users
  const { id } = yield* register(registration({ role: "admin", status: "active" }))
  return { ...OPERATOR, userId: id }
})

/** Lets one person live through the steps, beside the paper. */
const live = Effect.fnUntraced(function* (by: Effect.Success<typeof administrator>, steps: ReadonlyArray<Step>) {
  const kyc = yield* Kyc
  const { isVerified, exists } = yield* KycRecords
  const users = yield* Users
  const { changeStatus } = yield* UserAdministration
  const { id: userId } = yield* users.register(registration())
  const paper = new Paper()
  let last = "kyc_nothing"
  for (const one of steps) {
    if (one.act === "submit") {
      const submitted = kyc
        .submit(userId, submission(one.address))
        .pipe(Effect.tap(({ id }) => Effect.sync(() => (last = id))))
      expect(yield* outcomeOf(submitted)).toBe(paper.submit(one.address))
    } else if (one.act === "user") {
      expect(yield* outcomeOf(changeStatus(by, userId, one.status))).toBe(paper.administer(one.status))
    } else if (one.act === "verifyRecord") {
      expect(yield* outcomeOf(kyc.verify(by, last))).toBe(paper.review("verified"))
    } else {
      expect(yield* outcomeOf(kyc.reject(by, last, "unreadable"))).toBe(paper.review("rejected"))
    }
    expect((yield* users.find(userId)).status as string).toBe(paper.user)
    expect([yield* exists(userId), yield* isVerified(userId)]).toEqual([paper.isOpen, paper.record === "verified"])
  }
  const sql = yield* SqlClient
  const acts = yield* sql<{ readonly act: string }>`
    SELECT act FROM audit_log WHERE subject_id = ${userId}
      OR subject_id IN (SELECT id FROM kyc_records WHERE user_id = ${userId}) ORDER BY act`
  expect(acts.map(({ act }) => act)).toEqual(paper.acts.toSorted())
})

describe("KYC records and their users", () => {
  it("become what the documentation's tables say, over any steps", () =>
    Effect.gen(function* () {
      const context = yield* Effect.context<Kyc | KycRecords | SqlClient | UserAdministration | Users>()
      const by = yield* administrator
      yield* Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(fc.array(step, { maxLength: 12 }), (steps) =>
            live(by, steps).pipe(Effect.provideContext(context), Effect.runPromise)
          ),
          property(8)
        )
      )
    }))
})
