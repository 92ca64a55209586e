import type { Migration } from "../Migration.ts"

const schedule = `
CREATE TABLE payment_schedule (
  payment_id text PRIMARY KEY,
  due_at bigint,
  attempts integer NOT NULL CHECK (attempts >= 0),
  event_seq bigint NOT NULL
)`

const cursor = `
CREATE TABLE payment_cursor (
  singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
  seq bigint NOT NULL CHECK (seq >= 0)
)`

/** When payments are looked at stands beside what recorded events make of them. */
export const paymentSchedule: Migration = {
  id: 39,
  name: "payment_schedule",
  up: [
    schedule,
    "CREATE INDEX payment_schedule_due ON payment_schedule (due_at, payment_id) WHERE due_at IS NOT NULL",
    cursor,
    "INSERT INTO payment_cursor (seq) SELECT coalesce(max(seq), 0) FROM events",
    "ALTER TABLE payments ADD COLUMN event_seq bigint NOT NULL DEFAULT 0",
    `INSERT INTO payment_schedule (payment_id, due_at, attempts, event_seq)
     SELECT id, due_at, attempts, 0 FROM payments WHERE due_at IS NOT NULL`,
    "DROP INDEX payments_due",
    "ALTER TABLE payments DROP COLUMN due_at, DROP COLUMN attempts",
    "CREATE INDEX payments_by_event ON payments (event_seq)"
  ],
  down: [
    `ALTER TABLE payments ADD COLUMN due_at bigint, ADD COLUMN attempts integer NOT NULL DEFAULT 0 CHECK (attempts >= 0)`,
    `UPDATE payments AS payment SET due_at = schedule.due_at, attempts = schedule.attempts
     FROM payment_schedule AS schedule WHERE schedule.payment_id = payment.id`,
    `UPDATE payments AS payment SET due_at = changed_at, attempts = 0 FROM payment_cursor AS cursor
     WHERE payment.event_seq > cursor.seq AND NOT payment.direct AND NOT EXISTS (
       SELECT FROM payment_schedule WHERE payment_id = payment.id AND event_seq = payment.event_seq)`,
    "CREATE INDEX payments_due ON payments (due_at) WHERE due_at IS NOT NULL",
    "DROP INDEX payments_by_event",
    "ALTER TABLE payments DROP COLUMN event_seq",
    "DROP TABLE payment_cursor",
    "DROP TABLE payment_schedule"
  ]
}
