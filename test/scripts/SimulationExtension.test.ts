import { afterAll, describe, expect, it } from "bun:test"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { sim, simHere as run } from "../lib/SimCommand.ts"

const PAGE = join(import.meta.dir, "../../docs/concepts/simulation.md")

/** The module of the page. */
const EXAMPLE = /```ts\n([\s\S]*?)```/.exec(readFileSync(PAGE, "utf8"))?.[1] ?? ""

const folder = mkdtempSync(join(tmpdir(), "emporion own "))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const write = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

const SMALL = ["--orders", "6", "--traders", "4"]

/** The words of a printed command, as a shell takes them. */
const words = (command: string): ReadonlyArray<string> =>
  (command.match(/'[^']*'|\S+/g) ?? []).slice(4).map((word) => word.replaceAll("'", ""))

describe("npm run sim -- --with", () => {
  it("plays the module of the page from outside the project, and many seeds of it the same", async () => {
    const mine = write("mine.ts", EXAMPLE)
    const given = ["--with", mine, "--faults", ...SMALL]
    const one = sim(...given, "--seed", "7", "--json")
    expect([one.code, one.err]).toEqual([0, ""])
    const { eventsHash, faults, traders } = JSON.parse(one.out)
    expect(traders.at(-1)).toMatchObject({ traderId: "usr_4", submissions: 6 })
    expect(faults.some(({ kind }: { readonly kind: string }) => kind === "restart")).toBe(true)
    const many = await run(...given, "--seeds", "2", "--seed", "6", "--jobs", "1", "--json")
    expect([many.code, many.err]).toEqual([0, ""])
    const { failures, runs } = JSON.parse(many.out)
    expect(failures).toEqual([])
    expect(runs[1]).toMatchObject({ seed: 7, eventsHash })
  })

  it("makes a failure of an own rule smaller, and the printed commands replay it", async () => {
    const rule = `
      export default {
        fault: { name: "hail", strike: ({ events }) => events.length > 2 ? { kind: "duplicate", for: 5, after: 1 } : undefined },
        invariant: {
          name: "nobody_wins",
          check: ({ events }) => {
            const won = events.find(({ event }) => event._tag === "WinnerChosen" && event.choice.winner !== null)
            return won && won.event.choice.winner + " won"
          }
        }
      }`
    const { code, err } = await run("--with", write("rule.ts", rule), ...SMALL, "--seed", "3")
    expect(code).toBe(1)
    expect(err).toMatch(/^own\/nobody_wins: com_\S+ won$/m)
    const replay = /^replay +(.+)$/m.exec(err)?.[1] ?? ""
    const smaller = /^smaller +(.+)$/m.exec(err)?.[1] ?? ""
    expect(replay).toContain("--with '")
    expect(smaller).toMatch(/--keep-orders \d --keep-traders [\d,]+ --keep-faults none$/)
    for (const command of [replay, smaller]) {
      const again = await run(...words(command))
      expect(again.code).toBe(1)
      expect(again.err).toContain("own/nobody_wins: ")
    }
  })

  it("says so where a module keeps something from one simulation to the next, and does not shrink by it", async () => {
    const first = `let plays = 0
      export default () => ({ invariant: { name: "once", check: ({ isOver }) => isOver && ++plays === 1 ? "first" : undefined } })`
    const { code, err } = await run("--with", write("first.ts", first), ...SMALL)
    expect(code).toBe(1)
    expect(err).toContain("own/once: first")
    expect(err).toContain("not made smaller: played again it came out otherwise")
  })

  it("says what is wrong with a module, in one sentence", async () => {
    let written = 0
    const said = async (text: string, ...more: ReadonlyArray<string>): Promise<string> => {
      const { code, err } = await run(
        "--with",
        write(`wrong${written++}.ts`, text),
        "--orders",
        "1",
        "--traders",
        "1",
        ...more
      )
      expect(code).toBe(1)
      return err
    }
    const trading = (act: string): string => `export default { trader: { onEvent(event, market) { ${act} } } }`
    expect((await run("--with", join(folder, "missing.ts"))).err).toContain("missing.ts")
    expect(await said("export const a = 1")).toContain("wrong0.ts: its default export has to be {trader, fault,")
    expect(await said("export default { traders: [] }", "--seeds", "2")).toContain("and has traders.")
    expect(await said("throw new Error('not today')")).toContain("not today")
    expect(await said(trading("market.commit(Math.random())"))).toContain("Math.random is not the seed's")
    expect(await said(trading("market.commit(new Date())"))).toContain("The time of the machine is not the seed's")
    expect(await said(trading("market.commit(Date.now())"))).toContain("The time of the machine is not the seed's")
    expect(await said(trading("no()"))).toMatch(/ReferenceError[\s\S]+wrong6\.ts:1/)
    expect(Math.random()).toBeLessThan(1)
    expect(Date.now()).toBeGreaterThan(0)
  })

  it("has a bound on what its scheduler misses, where it is asked to", async () => {
    const given = ["--scheduler", "pct", "--depth", "3", "--orders", "12", "--traders", "8", "--seed", "11"]
    const { code, out } = await run(...given)
    expect(code).toBe(0)
    const hash = /^events hash +(\S+)$/m.exec(out)?.[1] ?? "none"
    expect((await run(...given)).out).toContain(hash)
    expect((await run(...given.slice(4))).out).not.toContain(hash)
  })
})

describe("npm run sim -- compare", () => {
  it("plays the same seeds under two rules", () => {
    const given = ["compare", "--rule", "weighted", "--rule", "quorum", "--seeds", "2", "--jobs", "1", ...SMALL]
    const { code, err, out } = sim(...given)
    expect([code, err]).toEqual([0, ""])
    expect(out).toStartWith("2 seeds under both rules")
    expect(out).toMatch(/^wins a seed +\d/m)
  })

  it("says how it is used", async () => {
    const { code, out } = await run("compare", "--help")
    expect(code).toBe(0)
    for (const flag of ["rule", "seeds", "seed", "orders", "traders", "bots", "faults", "with", "jobs", "json"]) {
      expect(out).toContain(`--${flag}`)
    }
  })
})
