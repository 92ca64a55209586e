/** Text of RFC 4180. */

/** A spreadsheet takes what begins with one of these for a formula. */
const FORMULA = /^[=+\-@\t\r]/

const NUMBER = /^-?\d+(\.\d+)?$/

const cell = (text: string): string => {
  const harmless = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/** A row with its line end. What a spreadsheet would take for a formula begins with an apostrophe; numbers stay as they are. */
export const csvRow = (cells: ReadonlyArray<string>): string => `${cells.map(cell).join(",")}\r\n`
