import { PgTypes } from "@effect/sql-pg"
import { Result } from "effect"

const MAX_INT8 = 9_223_372_036_854_775_807n

const typed =
  (element: number) =>
  (values: ReadonlyArray<unknown>): PgTypes.Parameter =>
    Result.getOrThrow(PgTypes.array(values, element))

/** A `text[]`. Without this the driver would look at each element. */
export const texts: (values: ReadonlyArray<string>) => PgTypes.Parameter = typed(PgTypes.OID.text)

/** A `text[]` whose elements may be null. */
export const nullableTexts: (values: ReadonlyArray<string | null>) => PgTypes.Parameter = typed(PgTypes.OID.text)

/** An `int8[]`. */
export const bigints: (values: ReadonlyArray<bigint>) => PgTypes.Parameter = typed(PgTypes.OID.int8)

/** An `int8[]` whose elements may be null. */
export const nullableBigints: (values: ReadonlyArray<bigint | null>) => PgTypes.Parameter = typed(PgTypes.OID.int8)

/** A `bytea[]`. */
export const byteStrings: (values: ReadonlyArray<Uint8Array>) => PgTypes.Parameter = typed(PgTypes.OID.bytea)

/** A `bool[]`. */
export const booleans: (values: ReadonlyArray<boolean>) => PgTypes.Parameter = typed(PgTypes.OID.bool)

/** An `int8[]`, or a `text[]` if a number is too large for that: for a statement that casts it to `numeric[]`. */
export const numerics = (values: ReadonlyArray<bigint | null>): PgTypes.Parameter =>
  values.every((value) => value === null || (value <= MAX_INT8 && value >= -MAX_INT8))
    ? nullableBigints(values)
    : nullableTexts(values.map((value) => value?.toString() ?? null))
