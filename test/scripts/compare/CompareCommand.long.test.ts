import { expect, it } from "bun:test"
import { join } from "node:path"

const ROOT = join(import.meta.dir, "../../..")

const compare = (seeds: number) =>
  Bun.spawn(
    [
      process.execPath,
      join(ROOT, "scripts/sim.ts"),
      ..."compare --rule weighted --rule quorum --orders 1 --traders 4 --jobs 2 --seeds".split(" "),
      String(seeds)
    ],
    { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"] }
  )

it("A comparison that is ended tells what its first seeds came to, as one of so many seeds does", async () => {
  const cut = compare(100_000)
  for await (const bytes of cut.stderr) {
    expect(new TextDecoder().decode(bytes)).toContain("100 of 200000 simulations, 0 failed\n")
    break
  }
  cut.kill("SIGINT")
  expect(await cut.exited).toBe(130)
  const told = await new Response(cut.stdout).text()
  const [last = "", seeds = ""] = /^ended after (\d+) of 100000 seeds: the same as --seeds \1$/m.exec(told) ?? []
  expect(Number(seeds)).toBeGreaterThan(40)

  const whole = compare(Number(seeds))
  expect(await whole.exited).toBe(0)
  expect(`${await new Response(whole.stdout).text()}${last}\n`).toBe(told)
}, 60_000)
