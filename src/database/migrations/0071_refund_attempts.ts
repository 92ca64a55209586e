import type { Migration } from "../Migration.ts"

/** What an order does not need goes back by one refund, which is asked for again and again where it is declined. */
export const refundAttempts: Migration = {
  id: 71,
  name: "refund_attempts",
  // Not validated: each row that is there has the default.
  up: [
    "ALTER TABLE payment_refunds ADD COLUMN attempts integer NOT NULL DEFAULT 1",
    "ALTER TABLE payment_refunds ADD CONSTRAINT payment_refunds_attempts_check CHECK (attempts > 0) NOT VALID"
  ],
  down: ["ALTER TABLE payment_refunds DROP COLUMN attempts"]
}
