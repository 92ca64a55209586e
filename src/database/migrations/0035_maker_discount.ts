import type { Migration } from "../Migration.ts"

/** How low an order may clear. Those that are there are not looked at where they may break it. */
const clearsFrom = (least: string, validity = "") =>
  `ALTER TABLE arena_orders DROP CONSTRAINT arena_orders_check, ADD CONSTRAINT arena_orders_check
     CHECK (clearing_price >= ${least}) ${validity}`

/**
 * Orders opened before have none: they are chosen by the rule of their time. Those that have one may clear as far below
 * the reference. After a step back and forward again it is read from the orders' openings.
 */
export const makerDiscount: Migration = {
  id: 35,
  name: "maker_discount",
  up: [
    "ALTER TABLE arena_orders ADD COLUMN maker_discount integer CHECK (maker_discount BETWEEN 0 AND 10000)",
    `UPDATE arena_orders AS o SET maker_discount = (e.data::jsonb #>> '{terms,makerDiscount}')::integer
       FROM events AS e WHERE e.stream = 'order/' || o.id AND e.version = 1 AND e.data LIKE '%"makerDiscount"%'`,
    clearsFrom("reference_price::numeric * (1000000 - coalesce(maker_discount, 0)) / 1000000")
  ],
  down: [clearsFrom("reference_price", "NOT VALID"), "ALTER TABLE arena_orders DROP COLUMN maker_discount"]
}
