import { describe, expect, it } from "bun:test"
import { Effect } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { itLive } from "../../lib/Effects.ts"
import { python, PYTHON_PACKAGE, pythonCommand, pythonExamplesOf } from "../../lib/Python.ts"
import { temporaryFolder } from "../../lib/TemporaryFolder.ts"
import { textOf } from "../../tidy/Source.ts"

const PAGE = "packages/client-python/README.md"

/** Runs a command to its end. */
const run = (command: ReadonlyArray<string>) => {
  const { exitCode, stderr, stdout } = Bun.spawnSync([...command], { cwd: PYTHON_PACKAGE, stdin: "ignore" })
  return { code: exitCode, said: stdout.toString() + stderr.toString() }
}

/** Mistakes that the types must find, by the word that each complaint has. */
const MISTAKES = [
  [`client.call(operations.arena_submit_commitment({"order_id": "ord_1"}))`, "Missing keys"],
  [`client.call(operations.arena_list_orders(status="opened"))`, "Literal"],
  [`client.call(operations.arena_get_order("ord_1"))["orders"]`, "no key"],
  [`next(client.rows(operations.arena_list_orders()))["price"]`, "no key"],
  [`client.rows(operations.arena_submit_commitment(terms))`, "ListRequest"],
  [`refusal.code == "ARENA_999"`, "Non-overlapping"],
  [`event["data"]["object"]["total"] if event["type"] == "company.updated" else None`, "no key"]
] as const

const PLANTED = `from emporion import ApiError, EmporionClient, operations
from emporion.contract import CommitmentRequest
from emporion.webhooks import WebhookEvent

def planted(client: EmporionClient, terms: CommitmentRequest, refusal: ApiError, event: WebhookEvent) -> None:
${MISTAKES.map(([line]) => `    ${line}\n`).join("")}`

const FIRST_MISTAKE = PLANTED.split("\n").findIndex((line) => line.includes(MISTAKES[0][0])) + 1

describe("The package for Python", () => {
  it("passes its own tests", () => {
    const { code, said } = run(pythonCommand("-m", "unittest", "discover", "-s", "tests", "-t", "."))
    console.log(`${python()}: ${/Ran \d+ tests/.exec(said)?.[0]}`)
    expect({ code, said }).toEqual({ code: 0, said: expect.stringMatching(/Ran [5-9]\d tests[\s\S]*OK/) })
  })

  itLive("is typed, strictly: so are its examples, and mistakes are found", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const examples = pythonExamplesOf(textOf(PAGE) ?? "").map((code, index) => {
        const file = join(folder, `example_${index}.py`)
        writeFileSync(file, code.replace("fresh_access_token()", `"token"`))
        return file
      })
      const planted = join(folder, "planted.py")
      writeFileSync(planted, PLANTED)
      const files = ["emporion", "tests", ...examples, planted]
      const options = ["--strict", "--python-version", "3.10", "--cache-dir", join(folder, "cache")]
      const { said } = run(["env", "MYPYPATH=.", python(), "-m", "mypy", ...options, ...files])
      const complaints = said.split("\n").filter((line) => line.includes("error:"))
      expect(examples.length).toBe(4)
      expect(complaints).toEqual(
        MISTAKES.map(([, word], index) =>
          expect.stringMatching(new RegExp(`planted\\.py:${FIRST_MISTAKE + index}: error: .*${word}`))
        )
      )
    })
  )
})
