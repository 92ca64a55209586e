import type { Migration } from "../Migration.ts"

/** A seller gives prices to whomever it names: a company that must be there would tell the seller that it is. */
export const priceListCustomers: Migration = {
  id: 68,
  name: "price_list_customers",
  allowed: "The version before writes the same rows, and reads a customer's prices by its id alone.",
  up: ["ALTER TABLE price_lists DROP CONSTRAINT price_lists_customer_company_id_fkey"],
  down: [
    "DELETE FROM price_lists WHERE NOT EXISTS (SELECT FROM companies WHERE id = customer_company_id)",
    `ALTER TABLE price_lists
       ADD CONSTRAINT price_lists_customer_company_id_fkey FOREIGN KEY (customer_company_id) REFERENCES companies`
  ]
}
