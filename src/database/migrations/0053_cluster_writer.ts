import type { Migration } from "../Migration.ts"

/** Which node writes where there are several, and since when it takes requests. */
export const clusterWriter: Migration = {
  id: 53,
  name: "cluster_writer",
  up: ["ALTER TABLE writer_term ADD COLUMN address text, ADD COLUMN serving_since timestamptz"],
  down: ["ALTER TABLE writer_term DROP COLUMN address, DROP COLUMN serving_since"]
}
