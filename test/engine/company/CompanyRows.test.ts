import fc from "fast-check"
import { describe, expect, it } from "bun:test"
import type { CompanyProfile } from "../../../engine/company/CompanyEvent.ts"
import { type CompanyChange, companyRows } from "../../../engine/company/CompanyRows.ts"
import { merged, TABLE_COLUMNS } from "../../../engine/journal/TableRow.ts"
import { property } from "../../lib/Property.ts"
import { RowStore } from "../../lib/RowStore.ts"

const text = fc.option(fc.string({ minLength: 1, maxLength: 3 }))

const profile: fc.Arbitrary<CompanyProfile> = fc.record({
  name: fc.string({ minLength: 1, maxLength: 3 }),
  taxId: text,
  email: text,
  phone: text,
  country: text,
  address: fc.option(fc.record({ street: fc.string(), city: fc.string() }))
})

const place = {
  at: fc.nat(),
  companyId: fc.constant("cmp_1"),
  by: fc.record({ userId: fc.constantFrom("usr_1", "usr_2"), requestId: text, administers: fc.boolean() })
}

const plan = fc.constantFrom("standard" as const, "pro" as const, "enterprise" as const)

const created = fc.record({ _tag: fc.constant("CompanyCreated" as const), ...place, managedBy: text, profile })

const change = fc.oneof(
  fc.record({ _tag: fc.constant("CompanyUpdated" as const), ...place, before: profile, after: profile }),
  fc.record({ _tag: fc.constant("CompanyPlanSet" as const), ...place, before: plan, after: plan }),
  fc.record({
    _tag: fc.constant("CompanyEntitlementSet" as const),
    ...place,
    entitlement: fc.constant("machine_trader" as const),
    after: fc.boolean()
  }),
  fc.record({ _tag: fc.constant("CompanyVerified" as const), ...place })
)

const history: fc.Arbitrary<ReadonlyArray<CompanyChange>> = fc
  .tuple(created, fc.array(change, { maxLength: 6 }))
  .map(([first, others]) => [first, ...others])

const lastOf = <T extends CompanyChange["_tag"]>(events: ReadonlyArray<CompanyChange>, tag: T) =>
  events.findLast((event): event is Extract<CompanyChange, { readonly _tag: T }> => event._tag === tag)

/** The values of the company's row, told by the last event of each kind. */
const expected = (events: ReadonlyArray<CompanyChange>): ReadonlyArray<string | null> => {
  const made = lastOf(events, "CompanyCreated")!
  const { address, country, email, name, phone, taxId } = lastOf(events, "CompanyUpdated")?.after ?? made.profile
  const verified = lastOf(events, "CompanyVerified")
  return [
    "cmp_1",
    made.managedBy,
    name,
    lastOf(events, "CompanyPlanSet")?.after ?? "standard",
    taxId,
    email,
    phone,
    country,
    address && JSON.stringify(address),
    `${made.at}`,
    verified === undefined ? null : `${verified.at}`,
    `${lastOf(events, "CompanyEntitlementSet")?.after === false}`
  ]
}

const recorded = (event: CompanyChange, index: number) => ({ event, seq: index + 1, stream: "s", version: 1, hash: "" })

describe("the rows of companies", () => {
  it("are what the last event of each kind says, and all that administrators did", () => {
    fc.assert(
      fc.property(history, (events) => {
        const rows = events.flatMap((event, index) => companyRows(recorded(event, index)))
        for (const batch of [rows, merged(rows), [...merged(rows), ...rows.filter(({ _tag }) => _tag !== "Add")]]) {
          const store = new RowStore()
          for (const row of batch) store.apply(row)
          expect(store.rows.get("companies/cmp_1")?.values).toEqual(expected(events))
          const told = events.flatMap(({ by }, index) => (by.administers ? [`audit_log/${index + 1}`] : []))
          expect([...store.rows.keys()].filter((key) => key.startsWith("audit_log"))).toEqual(told)
        }
      }),
      property()
    )
  })

  it("tell in the audit log which fields of a profile were others", () => {
    const before = { name: "North", taxId: null, email: "a@b.cd", phone: null, country: "DE", address: null }
    const after = { ...before, name: "South", email: null, address: { city: "Ulm" } }
    const by = { userId: "usr_1", requestId: "req_1", administers: true }
    const event = { _tag: "CompanyUpdated" as const, at: 5, by, companyId: "cmp_1", before, after }
    const row = companyRows(recorded(event, 6))[1]
    const facts = { name: "South", email: null, address: '{"city":"Ulm"}' }
    expect(row).toEqual({
      _tag: "Ensure",
      row: {
        table: "audit_log",
        values: [
          "7",
          "5",
          "usr_1",
          "company.update",
          "cmp_1",
          '{"name":"North","email":"a@b.cd","address":null}',
          JSON.stringify(facts),
          "req_1"
        ]
      }
    })
    expect(row?._tag === "Ensure" && row.row.values).toHaveLength(TABLE_COLUMNS.audit_log.length)
  })
})
