import { describe, expect } from "bun:test"
import { Effect } from "effect"
import fc from "fast-check"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { format, fromUnits } from "../../../engine/money/Amount.ts"
import { MAX_BYTES, MAX_ROWS, readStatement, readStatementFile } from "../../../src/cli/CustodyStatement.ts"
import { itEffect } from "../../lib/Effects.ts"
import { property } from "../../lib/Property.ts"
import { temporaryFolder } from "../../lib/TemporaryFolder.ts"

const DAY = Date.UTC(2026, 10, 2)

const refusalOf = (text: string) => Effect.map(Effect.flip(readStatement(text)), ({ message }) => message)

describe("A statement of custody", () => {
  const same = [
    ["commas", "date,reference,amount\n2026-11-02,WIRE-1,1250.5\n2026-11-02,wdr_1,-310\n"],
    [
      "semicolons, another order, other columns",
      "Amount;Memo;Date;Reference\n1250.50;a, b;2026-11-02;WIRE-1\n-310.000000;;2026-11-02;wdr_1"
    ],
    [
      "tabs, quotes, CRLF, a byte order mark, empty lines",
      '\uFEFFdate\treference\tamount\r\n2026-11-02\t"WIRE-1"\t+1250.5\r\n2026-11-02\twdr_1\t -310 \r\n'
    ]
  ] as const
  for (const [what, text] of same) {
    itEffect(`is read with ${what}`, () =>
      Effect.gen(function* () {
        expect(yield* readStatement(text)).toEqual([
          { line: 2, day: DAY, reference: "WIRE-1", amount: fromUnits(1_250_500_000n) },
          { line: 3, day: DAY, reference: "wdr_1", amount: fromUnits(-310_000_000n) }
        ])
      })
    )
  }

  const refused = [
    ["date,reference\n", "The first line must name date, reference and amount, each once: look at amount."],
    ["", "__empty__"],
    ["date,reference,amount,Amount\n", "look at amount"],
    ["date,reference,amount\n2026-11-02,a\n", "This is no CSV at line 2"],
    ['date,reference,amount\n2026-11-02,"a,1\n', "This is no CSV"],
    ["date,reference,amount\n2026-11-31,a,1\n", "line 2: date: expected a day such as 2026-01-31"],
    ["date,reference,amount\n02.11.2026,a,1\n", "line 2: date: expected a day"],
    ["date,reference,amount\n2026-11-02,,1\n", "line 2: reference: expected 1 to 200 characters"],
    [
      "date,reference,amount\n2026-11-02,a,1\n\n2026-11-02,a,0\n",
      "line 4: amount: expected a number with at most 6 decimals that is not 0"
    ],
    ["date,reference,amount\n2026-11-02,a,1.1234567\n", "line 2: amount: expected"],
    ["date,reference,amount\n2026-11-02,a,1e3\n", "line 2: amount: expected"],
    ['date,reference,amount\n2026-11-02,a,"1,250.00"\n', "line 2: amount: expected"],
    [
      "date,reference,amount\nx,,y\n",
      "line 2: date: expected a day such as 2026-01-31; reference: expected 1 to 200 characters; amount: expected"
    ]
  ] as const
  for (const [text, message] of refused) {
    itEffect(`is refused: ${JSON.stringify(text).slice(0, 60)}`, () =>
      Effect.gen(function* () {
        if (message === "__empty__") return expect(yield* readStatement(text)).toEqual([])
        expect(yield* refusalOf(text)).toContain(message)
      })
    )
  }

  itEffect("names ten wrong rows, and counts the rest", () =>
    Effect.gen(function* () {
      const lines = (yield* refusalOf(`date,reference,amount\n${"x,a,1\n".repeat(12)}`)).split("\n")
      expect([lines.length, lines[0], lines[9], lines[10]]).toEqual([
        11,
        expect.stringContaining("line 2: "),
        expect.stringContaining("line 11: "),
        "and 2 more"
      ])
    })
  )

  itEffect("is no longer than its limits, and a file that is there", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const row = "2026-11-02,a,1\n"
      const many = `date,reference,amount\n${row.repeat(MAX_ROWS + 1)}`
      expect(yield* refusalOf(many)).toBe(`It has more than ${MAX_ROWS} rows: give a shorter period.`)
      const [long, good] = [join(folder, "long.csv"), join(folder, "good.csv")]
      writeFileSync(long, Buffer.alloc(MAX_BYTES + 1, 32))
      writeFileSync(good, `date,reference,amount\n${row}`)
      const messageOf = (path: string) => Effect.map(Effect.flip(readStatementFile(path)), ({ message }) => message)
      expect(yield* messageOf(long)).toContain(
        `${long} is no statement that can be compared.\nIt is longer than 16 MiB`
      )
      expect(yield* messageOf(join(folder, "none.csv"))).toContain("It cannot be read (ENOENT")
      expect(yield* messageOf(folder)).toContain("It cannot be read (EISDIR")
      expect((yield* readStatementFile(good)).length).toBe(1)
    })
  )

  itEffect("says of any amount what the ledger would", () =>
    Effect.sync(() => {
      const units = fc.bigInt({ min: -1_000_000_000_000_000n, max: 1_000_000_000_000_000n }).filter((one) => one !== 0n)
      fc.assert(
        fc.property(units, (amount) => {
          const text = `date,reference,amount\n2026-11-02,a,${format(fromUnits(amount))}`
          expect(Effect.runSync(readStatement(text))[0]?.amount as bigint).toBe(amount)
        }),
        property()
      )
    })
  )
})
