import type { Migration } from "../Migration.ts"

const places = `
CREATE TABLE sign_in_places (
  account bytea NOT NULL CHECK (octet_length(account) = 32),
  place bytea NOT NULL CHECK (octet_length(place) = 32),
  at bigint NOT NULL,
  PRIMARY KEY (account, place)
)`

/** Where the owners of accounts signed in, as keyed hashes, so that a start does not forget them. */
export const signInPlaces: Migration = {
  id: 33,
  name: "sign_in_places",
  up: [places, "CREATE INDEX sign_in_places_at ON sign_in_places (at)"],
  down: ["DROP TABLE sign_in_places"]
}
