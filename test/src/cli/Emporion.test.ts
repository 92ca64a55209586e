import { describe, expect, it } from "bun:test"
import { Effect } from "effect"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ChainWalk } from "../../../engine/replay/ChainWalk.ts"
import { encodeEnd, encodeLine } from "../../../engine/replay/StoredEvent.ts"
import { link } from "../../../src/database/ChainLink.ts"
import { emporion } from "../../lib/CliProcess.ts"
import { commandHere } from "../../lib/CommandLine.ts"
import { sampleLog } from "../../lib/ReplayLog.ts"

/** The money of the sample log as an exported file: its orders have the tests' own hashes of tie keys. */
const exported = (folder: string): string => {
  const path = join(folder, "events.jsonl")
  const chain = new ChainWalk(link)
  const money = sampleLog().filter(({ stream }) => !stream.startsWith("order/"))
  const lines = money.map((event) => {
    chain.step(event)
    return encodeLine(event, chain.sum)
  })
  writeFileSync(path, `${[...lines, encodeEnd(money.length)].join("\n")}\n`)
  return path
}

const here = (args: ReadonlyArray<string>) => Effect.runPromise(commandHere(args))

describe("emporion", () => {
  it("verifies a file: 0 and its figures, or 1 and the altered event", async () => {
    const folder = mkdtempSync(join(tmpdir(), "emporion-cli-"))
    try {
      const path = exported(folder)
      const sound = await emporion(["verify", "--file", path])
      expect([sound.code, sound.stderr]).toEqual([0, ""])
      expect(sound.stdout).toContain("6 events in 6 streams: no hash and no number is wrong")
      const json = await here(["verify", "--file", path, "--json"])
      expect(JSON.parse(json.stdout)).toMatchObject({ ok: true, events: 6, streams: 6 })
      writeFileSync(path, readFileSync(path, "utf8").replace("wire-1", "wire-2"))
      const altered = await emporion(["verify", "--file", path])
      expect(altered.code).toBe(1)
      expect(altered.stdout).toContain("altered  event 5 (deposit/wire-")
      expect(altered.stderr).toContain("The log is not what it was")
    } finally {
      rmSync(folder, { recursive: true })
    }
  }, 30_000)

  it("says what to do about a wrong call, and ends with 2 where it is not understood", async () => {
    const lines: ReadonlyArray<readonly [string, string]> = [
      ["vrify", "emporion: There is no command vrify. Did you mean verify? See: emporion --help\n"],
      ["migrate dwn", "emporion migrate: There is no command dwn. Did you mean down? See: emporion migrate --help\n"],
      ["verify --fil x", "emporion verify: There is no flag --fil. Did you mean --file? See: emporion verify --help\n"],
      ["serve now", "emporion serve: now is one argument too many. See: emporion serve --help\n"],
      ["admin create", "emporion admin create: The argument email is missing. See: emporion admin create --help\n"],
      [
        "admin create nobody",
        'emporion admin create: Invalid value for argument <email>: "nobody". Expected a mail address such as ' +
          "admin@example.com. See: emporion admin create --help\n"
      ],
      [
        "migrate down 0",
        'emporion migrate down: Invalid value for argument <count>: "0". Expected a whole number from 1 on. ' +
          "See: emporion migrate down --help\n"
      ],
      ...["erase nope", "erase nope --confirm nope"].map(
        (line) =>
          [
            line,
            'emporion erase: Invalid value for argument <user>: "nope". Expected a user\'s id, usr_ and 24 characters. ' +
              "See: emporion erase --help\n"
          ] as const
      )
    ]
    const ended = await Promise.all(lines.map(([line]) => here(line.split(" "))))
    expect(ended).toEqual(lines.map(([, stderr]) => ({ code: 2, stdout: "", stderr })))
    expect(await emporion(["vrify"])).toEqual({ code: 2, stdout: "", stderr: lines[0]?.[1] ?? "" })
  }, 30_000)

  it("ends with 2 where the parts of a wrong call are understood, and the whole is not", async () => {
    const misordered = ["--from", "2026-02-01", "--to", "2026-01-31"]
    const swap = "emporion: --from 2026-02-01 is after --to 2026-01-31: swap them.\n"
    const program = "emporion: Give a program: either --with FILE, or one and its arguments behind --.\n"
    const calls: ReadonlyArray<readonly [ReadonlyArray<string>, string]> = [
      [
        ["verify", "--file", "a", "--data-dir", "b"],
        "emporion: Give one of --database, --data-dir and --file, not several.\n"
      ],
      [
        ["verify", "--database", "mysql://host/db"],
        "emporion: --database: expected a URL that starts with postgresql://\n"
      ],
      [["archive", ...misordered, "/nowhere"], swap],
      [["replay-market"], program],
      [["replay-market", "--with", "my.ts", "--", "my.py"], program],
      [["replay-market", "--with", "my.ts", ...misordered], swap],
      [
        ["replay-market", "--with", "my.ts", "--history", "a", "--data-dir", "b"],
        "emporion: Give one of --history, --url, --database and --data-dir, not several.\n"
      ],
      [["replay-market", "--with", "my.ts", "--url", "here"], "emporion: --url: expected a URL.\n"],
      [
        ["logs", "tail", "--url", "http://127.0.0.1:1"],
        "emporion: Name the API client: --client-id or EMPORION_CLIENT_ID.\n"
      ]
    ]
    for (const [call, stderr] of calls) expect(await here(call)).toEqual({ code: 2, stdout: "", stderr })
  })

  it("says what to do where it cannot do what it was asked, and ends with 1", async () => {
    const [missing, elsewhere] = await Promise.all([
      here(["verify", "--file", "/nowhere/events.jsonl"]),
      Effect.runPromise(commandHere(["verify"], { DATABASE_URL: "mysql://host/db" }))
    ])
    expect([missing, elsewhere].map(({ code }) => code)).toEqual([1, 1])
    expect(missing.stderr).toContain("cannot be read")
    expect(elsewhere.stderr).toBe("emporion: DATABASE_URL: expected a URL that starts with postgresql://\n")
  }, 30_000)

  it("explains itself with examples, and lists its commands where none is named", async () => {
    const [help, bare] = await Promise.all([here(["export", "--help"]), here([])])
    expect(help.code).toBe(0)
    expect(help.stdout).toContain("emporion export events.jsonl")
    expect([bare.code, bare.stdout]).toEqual([2, ""])
    expect(bare.stderr).toContain("doctor")
  }, 30_000)
})
