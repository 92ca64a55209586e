import { describe, expect, it } from "bun:test"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { leaks, MAILED, scan } from "../../scripts/SecretScan.ts"

const TOKEN = "rft_4f9c2a7be1d84c0aa35b"
const secrets = [
  { what: "password", value: "correct horse battery" },
  { what: "refresh_token", value: TOKEN },
  { what: "refresh_token", value: `${TOKEN.slice(0, 20)}another` }
]

describe("Secrets in logs", () => {
  it("are found wherever they stand, and are not repeated", () => {
    const found = leaks(secrets, [
      { from: "server", text: `{"message":"refused ${TOKEN}","level":"WARN"}` },
      { from: "server", text: "nothing here" },
      { from: "PostgreSQL", text: "correct horse battery" }
    ])
    expect(found).toEqual([
      { what: "refresh_token", from: "server", excerpt: '{"message":"refused [refresh_token]","level":"WARN"}' },
      { what: "password", from: "PostgreSQL", excerpt: "[password]" }
    ])
    expect(JSON.stringify(found)).not.toContain(TOKEN)
  })

  it("are told apart from texts that only begin like them", () => {
    expect(leaks(secrets, [{ from: "server", text: `${TOKEN.slice(0, -1)} and correct horse batterie` }])).toEqual([])
  })

  it("are looked for in what every process left", () => {
    const folder = mkdtempSync(join(tmpdir(), "emporion-scan-"))
    try {
      writeFileSync(join(folder, "secrets-1.jsonl"), `${secrets.map((one) => JSON.stringify(one)).join("\n")}\n`)
      writeFileSync(join(folder, "secrets-2.jsonl"), `${JSON.stringify(secrets[0])}\n`)
      writeFileSync(join(folder, "log-2.jsonl"), `${JSON.stringify({ from: "log", text: `a ${TOKEN} b` })}\n`)
      const found = scan(folder)
      expect([found.secrets, found.lines, found.leaks.map(({ excerpt }) => excerpt)]).toEqual([
        3,
        1,
        ["a [refresh_token] b"]
      ])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it("may stand in the mails that the sandbox logs, and in nothing that only speaks of one", () => {
    const mails = [
      '{"message":"Mail to ada@example.com: Choose a new password\\n…"}',
      "Mail to ada@example.com: Choose"
    ]
    expect(mails.map((text) => MAILED.test(text))).toEqual([true, true])
    expect(MAILED.test('{"message":"refused: Mail to ada@example.com: x"}')).toBe(false)
  })
})
