import type { Migration } from "../Migration.ts"

const subscriptions = `
CREATE TABLE subscriptions (
  id text PRIMARY KEY,
  company_id text NOT NULL,
  user_id text NOT NULL,
  seller_id text NOT NULL,
  seller_user_id text NOT NULL,
  product_id text NOT NULL,
  quantity integer NOT NULL CHECK (quantity > 0),
  unit_price bigint NOT NULL CHECK (unit_price > 0),
  every text NOT NULL CHECK (every IN ('week', 'month', 'year')),
  periods integer CHECK (periods > 0),
  start_at bigint NOT NULL,
  created_at bigint NOT NULL,
  status text NOT NULL CHECK (status IN ('active', 'past_due', 'completed', 'cancelled')),
  paid_periods integer NOT NULL CHECK (paid_periods BETWEEN 0 AND coalesce(periods, paid_periods)),
  failures integer NOT NULL CHECK (failures >= 0),
  failed_at bigint,
  next_at bigint,
  ends_at bigint,
  ended_at bigint,
  end_reason text,
  event_seq bigint NOT NULL REFERENCES events,
  CHECK ((next_at IS NULL) = (status IN ('completed', 'cancelled'))),
  CHECK ((failed_at IS NULL) = (failures = 0)),
  CHECK (company_id <> seller_id)
)`

const history = `
CREATE TABLE subscription_history (
  event_seq bigint PRIMARY KEY REFERENCES events,
  subscription_id text NOT NULL REFERENCES subscriptions,
  at bigint NOT NULL,
  event text NOT NULL,
  user_id text,
  period integer,
  amount bigint,
  reason text
)`

/** Subscriptions as their events leave them, and who did what to them, which never changes. */
export const subscriptionsContext: Migration = {
  id: 16,
  name: "subscriptions",
  up: [
    subscriptions,
    "CREATE INDEX subscriptions_due ON subscriptions (next_at, id) WHERE next_at IS NOT NULL",
    "CREATE INDEX subscriptions_by_company ON subscriptions (company_id, created_at, id)",
    "CREATE INDEX subscriptions_by_seller ON subscriptions (seller_id, created_at, id)",
    history,
    "CREATE INDEX subscription_history_by_subscription ON subscription_history (subscription_id, event_seq)"
  ],
  down: ["DROP TABLE subscription_history", "DROP TABLE subscriptions"]
}
