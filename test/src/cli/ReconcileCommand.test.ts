import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { isoUtc } from "../../../src/api/Timestamp.ts"
import { onDatabase, runEmporion } from "../../lib/CliProcess.ts"
import { commandHere } from "../../lib/CommandLine.ts"
import { itLive } from "../../lib/Effects.ts"
import { temporaryFolder } from "../../lib/TemporaryFolder.ts"
import { TestServer } from "../../lib/TestServer.ts"

const DAY = 86_400_000

/** Deposits with references, a withdrawal and a transfer out, all on the server's day. */
const moved = Effect.gen(function* () {
  const server = yield* TestServer.make()
  const admin = yield* server.admin
  const { id: owner } = yield* server.user()
  const deposit = (reference: string, units: string) =>
    server.post("/v1/funds", { owner, type: "USD", symbol: units, external_reference: reference }, { as: admin })
  for (const [reference, units] of [
    ["WIRE-1", "1000"],
    ["WIRE-2", "250.5"],
    ["WIRE-3", "40"]
  ] as const) {
    expect((yield* deposit(reference, units)).status).toBe(200)
  }
  expect((yield* server.post("/v1/withdraw", { quantity: "300" }, { as: owner })).status).toBe(200)
  const { json: withdrawals } = yield* server.get<ReadonlyArray<{ readonly id: string }>>("/v1/withdraw", owner)
  server.world.pass(3 * DAY)
  expect((yield* deposit("WIRE-9", "7")).status).toBe(200)
  return { server, withdrawal: withdrawals[0]?.id ?? "", today: server.world.now - 3 * DAY }
})

interface Report {
  readonly ok: boolean
  readonly counts: Readonly<Record<string, number>>
  readonly missing_on_statement: ReadonlyArray<{ readonly reference: string; readonly purpose: string }>
}

describe("emporion reconcile", () => {
  itLive(
    "matches what the statement has, names what differs, and says so by its exit code",
    () =>
      Effect.gen(function* () {
        const { server, today, withdrawal } = yield* moved
        const folder = yield* temporaryFolder
        const day = isoUtc(today).slice(0, 10)
        const written = (name: string, rows: ReadonlyArray<string>) => {
          const path = join(folder, name)
          writeFileSync(path, ["date,reference,amount", ...rows].join("\n"))
          return path
        }
        const run = (...args: ReadonlyArray<string>) =>
          commandHere(["reconcile", "--asset", "USD", ...args], onDatabase(server.databaseUrl))
        const inProcess = (path: string) =>
          runEmporion(["reconcile", "--asset", "USD", path], { env: onDatabase(server.databaseUrl) })
        const wires = [`${day},WIRE-1,1000.00`, `${day},WIRE-2,250.50`, `${day},WIRE-3,40`]
        const good = written("good.csv", [...wires, `${day},${withdrawal},-300`])
        const bad = written("bad.csv", [
          wires[0] ?? "",
          wires[0] ?? "",
          `${day},WIRE-2,250.05`,
          `${day},${withdrawal},-300`,
          `${day},WIRE-7,5`
        ])
        const wrong = written("wrong.csv", [`${day},WIRE-1,much`])
        const [agreed, first, second, text, refused, misordered] = yield* Effect.all(
          [
            run("--external-only", good),
            run("--json", good),
            run("--json", bad),
            inProcess(bad),
            run(wrong),
            run("--from", "2026-02-01", "--to", "2026-01-31", good)
          ],
          { concurrency: 2 }
        )

        expect([agreed.code, agreed.stderr]).toEqual([0, ""])
        expect(agreed.stdout).toContain(
          "matched   4\nstatement 4: in 1290.5, out -300, net 990.5\nledger    4: in 1290.5, out -300"
        )

        const report = JSON.parse(first.stdout) as Report
        expect(report.counts).toMatchObject({
          matched: 4,
          differing: 0,
          missing_in_ledger: 0,
          duplicates_on_statement: 0
        })
        const others = new Set(
          report.missing_on_statement.map(({ purpose, reference }) => `${purpose} ${reference.split("/")[0]}`)
        )
        expect(others).toEqual(new Set(["mint mint", "capital capital"]))

        expect(second.code).toBe(1)
        expect(JSON.parse(second.stdout)).toMatchObject({
          ok: false,
          asset: "USD",
          from: day,
          to: day,
          counts: {
            matched: 2,
            differing: 1,
            duplicates_on_statement: 1,
            duplicates_in_ledger: 0,
            missing_in_ledger: 1
          },
          statement: { count: 5, in: "2255.05", out: "-300", net: "1955.05" },
          differing: [
            {
              statement: { line: 4, reference: "WIRE-2", amount: "250.05" },
              ledger: { id: "mint/reference/WIRE-2", amount: "250.5" }
            }
          ],
          duplicates_on_statement: [{ line: 3, reference: "WIRE-1" }],
          missing_in_ledger: [{ line: 6, date: day, reference: "WIRE-7", amount: "5" }]
        })
        const missing = (JSON.parse(second.stdout) as Report).missing_on_statement.map(({ reference }) => reference)
        expect(missing).toContain("WIRE-3")
        expect(missing).not.toContain("WIRE-9")
        expect([second.stderr, text.code]).toEqual([expect.stringContaining("do not say the same"), 1])
        expect(text.stdout).toContain(`differs   line 4: ${day} WIRE-2 250.05; the ledger has 250.5`)
        expect(text.stdout).toContain(`unknown   line 6: ${day} WIRE-7 5; the ledger has no such reference left`)
        expect([refused.code, refused.stdout]).toEqual([1, ""])
        expect(refused.stderr).toContain("line 2: amount: expected a number")
        expect(misordered).toEqual({
          code: 2,
          stdout: "",
          stderr: "emporion: --from 2026-02-01 is after --to 2026-01-31: swap them.\n"
        })
        const [late, early] = [yield* run("--from", "2999-01-01", good), yield* run("--to", "1999-01-01", good)]
        expect([late.code, late.stderr]).toEqual([
          2,
          `emporion: --from 2999-01-01 is after the statement's last row, of ${day}: give an earlier day, or its last day as --to.\n`
        ])
        expect([early.code, early.stderr]).toEqual([
          2,
          `emporion: --to 1999-01-01 is before the statement's first row, of ${day}: give a later day, or its first day as --from.\n`
        ])
      }),
    60_000
  )
})
