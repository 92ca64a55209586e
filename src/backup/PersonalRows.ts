/** Rows of a backup that identify people, each under the key of whoever it is about. */

import { createHmac } from "node:crypto"
import { Result } from "effect"
import { forgotten, type PersonalTable } from "../database/PersonalTable.ts"
import * as Seal from "../identity/secrets/Seal.ts"

type Cells = ReadonlyArray<string | null>

/**
 * A line that is sealed, as an array within one: whose it is, the box, and, unless the whole row is personal, the row with
 * empty texts in the place of what is.
 */
type SealedLine = readonly [readonly [of: string, box: string, row: Cells | null]]

/** The cells of a line, and whose it is, which comes last. */
export interface OwnedLine {
  readonly cells: Cells
  readonly subject: string | null
}

export const ownedLine = (line: string): OwnedLine => {
  const values = JSON.parse(line) as Cells
  return { cells: values.slice(0, -1), subject: values.at(-1) ?? null }
}

const purposeOf = (table: string): string => `backup/${table}`

/**
 * A nonce that follows from the key and the content, so that a row that did not change gives the same line. Only equal
 * content has an equal nonce, by all that 96 bits can say.
 */
const nonceOf = (key: Uint8Array, purpose: string, plain: Uint8Array): Uint8Array =>
  createHmac("sha256", key).update(`${purpose}\n`).update(plain).digest().subarray(0, Seal.NONCE_LENGTH)

/** Which places of a row are personal; undefined where the whole row is. */
const placesOf = (
  { columns: named }: PersonalTable,
  columns: ReadonlyArray<string>
): ReadonlyArray<number> | undefined =>
  named === undefined ? undefined : Object.keys(named).map((column) => columns.indexOf(column))

/** The line with what identifies somebody under that one's key. A row that is about nobody stays as it is. */
export const sealedLine = (
  table: PersonalTable,
  columns: ReadonlyArray<string>,
  { cells, subject }: OwnedLine,
  keyOf: (subject: string) => Uint8Array
): string => {
  if (subject === null) return JSON.stringify(cells)
  const places = placesOf(table, columns)
  const taken = places === undefined ? cells : places.map((place) => cells[place] ?? null)
  const [key, purpose, plain] = [keyOf(subject), purposeOf(table.table), Buffer.from(JSON.stringify(taken))]
  const box = Buffer.from(Seal.seal(key, nonceOf(key, purpose, plain), purpose, plain)).toString("base64")
  const row = places === undefined ? null : cells.map((cell, at) => (cell !== null && places.includes(at) ? "" : cell))
  return JSON.stringify([[subject, box, row]] satisfies SealedLine)
}

/** Whether a line of whichever table is sealed: others begin with a cell. */
export const isSealed = (line: string): boolean => line.startsWith("[[")

const withCells = (row: Cells, places: ReadonlyArray<number>, taken: Cells): string => {
  const whole = [...row]
  for (const [at, place] of places.entries()) whole[place] = taken[at] ?? null
  return JSON.stringify(whole)
}

/**
 * The line as it was, or undefined if the row is about somebody whose key is forgotten. Where only some cells are, what
 * takes their place stands there.
 */
export const openedLine = (
  table: PersonalTable,
  columns: ReadonlyArray<string>,
  line: string,
  keyOf: (subject: string) => Uint8Array | undefined
): Result.Result<string | undefined, Seal.Unsealable> => {
  if (!isSealed(line)) return Result.succeed(line)
  const [[of, box, row]] = JSON.parse(line) as SealedLine
  const places = placesOf(table, columns)
  const key = keyOf(of)
  if (key === undefined) {
    const left = Object.values(table.columns ?? {}).map((value, at) =>
      row?.[places?.[at] ?? -1] === null ? null : forgotten(value, of)
    )
    return Result.succeed(row === null || places === undefined ? undefined : withCells(row, places, left))
  }
  return Result.map(Seal.open(key, purposeOf(table.table), Buffer.from(box, "base64")), (plain) => {
    const taken = JSON.parse(Buffer.from(plain).toString()) as Cells
    return row === null || places === undefined ? JSON.stringify(taken) : withCells(row, places, taken)
  })
}
