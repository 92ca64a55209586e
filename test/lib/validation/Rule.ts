/** A value that a field does not take, and what its refusal says. */
export interface Rule {
  /** Where in the body, or in the query: names and places of an array with a dot between. */
  readonly field: string
  readonly value: unknown
  /** A part of the message. The field's name is in it too. */
  readonly expected: string
  /** 400 unless told: 422 where the value has the right shape and cannot be had. */
  readonly status?: number
}

/** The rules of one operation's body or query. */
export interface ValidationTable {
  /** What the specification requires. */
  readonly required: ReadonlyArray<string>
  /** A sound body, where the operation's own row sends another or too little of it. Its sender is a user. */
  readonly body?: object
  readonly rules: ReadonlyArray<Rule>
}

/**
 * The tables by `METHOD /path`; those of a query by `METHOD /path ?`, those of one of several bodies by
 * `METHOD /path as Name`.
 */
export type ValidationTables = Readonly<Record<string, ValidationTable>>

/** A field does not take these values. */
export const refuses = (field: string, expected: string, ...values: ReadonlyArray<unknown>): ReadonlyArray<Rule> =>
  values.map((value) => ({ field, value, expected }))

/** A field cannot have these values, though they have the right shape. */
export const cannotHave = (field: string, expected: string, ...values: ReadonlyArray<unknown>): ReadonlyArray<Rule> =>
  values.map((value) => ({ field, value, expected, status: 422 }))

const BELL = "\u0007"

/** Text of so many characters, none of which is a control character. */
export const words = (field: string, min: number, max: number): ReadonlyArray<Rule> =>
  refuses(
    field,
    `Expected ${min} to ${max} characters without control characters`,
    ...(min > 0 ? [""] : []),
    ...(min > 1 ? ["x".repeat(min - 1)] : []),
    "x".repeat(max + 1),
    `${"x".repeat(min)}${BELL}`
  )

/** A mail address. */
export const email = (field: string): ReadonlyArray<Rule> =>
  refuses(
    field,
    "Expected a mail address such as buyer@example.com, at most 254 characters",
    "",
    "nobody",
    "a@b",
    "a b@example.com",
    `${"x".repeat(250)}@example.com`
  )

/** Text of several lines, of so many characters. */
export const lines = (field: string, min: number, max: number): ReadonlyArray<Rule> =>
  refuses(
    field,
    `Expected ${min} to ${max} characters, of control characters line breaks and tabs alone`,
    ...(min > 0 ? [""] : []),
    "x".repeat(max + 1),
    `${"x".repeat(min)}${BELL}`
  )

/** A country by a code or its English name. */
export const country = (field: string): ReadonlyArray<Rule> => [
  ...refuses(field, "Expected a country by its code of ISO 3166-1", "ZZ", "B", "Atlantis"),
  ...words(field, 1, 100)
]

/** More than zero units as text. */
export const units = (field: string): ReadonlyArray<Rule> =>
  refuses(
    field,
    "Expected a positive decimal number as text with at most 6 decimals, at most 8000000000",
    "",
    "0",
    "-1",
    "0.0000001",
    "8000000000.000001",
    "1e3",
    "NaN",
    "0x10",
    " 1",
    "1,5"
  )

/** An amount as a number. */
export const amount = (field: string): ReadonlyArray<Rule> => [
  ...refuses(field, "Expected a non-negative decimal number", -1, -0.000_000_1),
  ...refuses(field, "Expected at most 8000000000", 8_000_000_000.5)
]

/** One of these texts. */
export const oneOf = (field: string, ...members: ReadonlyArray<string>): ReadonlyArray<Rule> => [
  ...refuses(field, `"${members[0]}"`, "", "unknown"),
  ...members.slice(0, 1).map((member) => ({ field, value: `${member} `, expected: `"${members.at(-1)}"` }))
]

/** A page of a list. Specification 8. */
export const page: ReadonlyArray<Rule> = [
  ...refuses("limit", "Expected an integer from 1 to 100", "", "0", "101", "-1", "1.5", "1e1", "ten"),
  ...refuses("offset", "Expected an integer from 0 to 1000000", "-1", "1000001", "0.5", "x"),
  ...words("after", 1, 200)
]
