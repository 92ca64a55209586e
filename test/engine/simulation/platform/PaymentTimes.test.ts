import { expect, it } from "bun:test"
import { PaymentTimes } from "../../../../engine/simulation/platform/PaymentTimes.ts"

it("A payment comes due by what is recorded of it, and not by what was recorded before somebody looked", () => {
  const payments = new Map([["pay_1", { seq: 1, isDirect: false }]])
  const times = new PaymentTimes((id) => payments.get(id))
  times.recorded("pay_1")
  times.recorded("pay_none")
  expect([...times.waiting]).toEqual(["pay_1", "pay_none"])
  expect(times.due(10)).toEqual(["pay_1"])
  const lease = times.lease("pay_1", 70)
  expect([times.due(10), [...times.waiting]]).toEqual([[], ["pay_1"]])
  times.release("pay_1", lease, undefined)
  expect([times.due(100), [...times.waiting]]).toEqual([[], []])
  times.postpone("pay_1", 90, 2)
  expect([times.attempts("pay_1"), times.due(89), times.due(90)]).toEqual([2, [], ["pay_1"]])
  payments.set("pay_1", { seq: 2, isDirect: false })
  times.recorded("pay_1")
  expect([times.attempts("pay_1"), times.due(20)]).toEqual([0, ["pay_1"]])
})
