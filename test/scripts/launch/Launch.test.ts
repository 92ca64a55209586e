import { describe, expect, it } from "bun:test"
import { Effect } from "effect"
import { spawnSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import manifest from "../../../package.json" with { type: "json" }
import { BundleNotWritten } from "../../../scripts/launch/BundleFolder.ts"
import { currentBundle, programFile } from "../../../scripts/launch/Launch.ts"
import { MEMORY, memoryFor, SIMULATION_MEMORY, SMALL_MACHINE } from "../../../scripts/launch/Memory.ts"
import { ROOT } from "../../../scripts/launch/Program.ts"
import { Api } from "../../../src/api/Api.ts"
import { render } from "../../../src/http/DocsPage.ts"
import { share } from "../../../src/http/DocumentComponents.ts"
import { make } from "../../../src/http/OpenApiDocument.ts"
import { itLive } from "../../lib/Effects.ts"
import { startServer } from "../../lib/ServerProcess.ts"
import { temporaryFolder } from "../../lib/TemporaryFolder.ts"

const told = async (bundled: () => Promise<string>) => {
  const sentences: Array<string> = []
  const file = await programFile("main", bundled, (sentence) => void sentences.push(sentence))
  return { file, sentences }
}

const run = async (...args: ReadonlyArray<string>) => {
  const child = Bun.spawn([process.execPath, ...args], {
    cwd: dirname(ROOT),
    env: { PATH: process.env["PATH"] ?? "", NO_COLOR: "1", KEPT: "yes" },
    stdout: "pipe",
    stderr: "pipe"
  })
  const [stdout, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { code: await child.exited, pid: child.pid, stdout, stderr }
}

/** What begins the names of the settings of the JavaScript heap. */
const OF_THE_HEAP = "BUN_JSC_"

const textOf = async (address: string): Promise<string> => (await fetch(address)).text()

describe("Launch", () => {
  it("runs the program of the bundle", async () => {
    expect(await told(() => Promise.resolve("/bundle"))).toEqual({ file: "/bundle/main.js", sentences: [] })
  })

  it("runs the sources where no bundle can be kept, and says so", async () => {
    const { file, sentences } = await told(() => Promise.reject(new BundleNotWritten("EROFS: read-only")))
    expect(file).toBe(join(ROOT, "src", "main.ts"))
    expect(sentences).toEqual([expect.stringMatching(/EROFS: read-only.*npm run bundle/)])
  })

  it("runs nothing where the sources cannot be bundled, and says each reason", async () => {
    const reasons = new AggregateError([new Error("no ./a.ts"), new Error("no ./b.ts")], "failed")
    const { file, sentences } = await told(() => Promise.reject(reasons))
    expect(file).toBeUndefined()
    expect(sentences).toEqual(["its sources cannot be bundled:\nError: no ./a.ts\nError: no ./b.ts"])
  })

  it("is the program's own process, in its folder, with its arguments, environment and exit code", async () => {
    const { code, pid, stdout } = await run(join(ROOT, "test", "fixtures", "launch", "become-told.ts"), "a", "b c")
    expect(JSON.parse(stdout)).toEqual({
      pid,
      args: ["a", "b c"],
      cwd: dirname(ROOT),
      kept: "yes",
      purge: "1000"
    })
    expect(code).toBe(7)
  })

  it("sets what the runtime knows", () => {
    const { stderr, stdout } = Bun.spawnSync([process.execPath, "-e", "0"], {
      env: { ...MEMORY, BUN_JSC_dumpOptions: "1" }
    })
    const changed = `${stdout}${stderr}`
    for (const [name, value] of Object.entries(MEMORY).filter(([name]) => name.startsWith(OF_THE_HEAP)))
      expect(changed).toContain(`${name.slice(OF_THE_HEAP.length)}=${value} (default: `)
  })

  it("sets nothing for a runtime of another version, which might not know it", () => {
    expect(memoryFor(process.versions["bun"], SMALL_MACHINE)).toEqual(MEMORY)
    expect(memoryFor("1.3.0")).toEqual({})
    expect(memoryFor(undefined)).toEqual({})
  })

  it("lets no large heap grow faster on a small machine", () => {
    const names = Object.keys(memoryFor(process.versions["bun"], SMALL_MACHINE - 1))
    expect(Object.keys(MEMORY).filter((name) => !names.includes(name))).toEqual([
      "BUN_JSC_concurrentGCMaxHeadroom",
      "BUN_JSC_forceRAMSize",
      "BUN_JSC_largeHeapGrowthFactor",
      "BUN_JSC_mediumHeapGrowthFactor"
    ])
  })

  it("sets for the bench what it sets for a server", () => {
    const settings = Object.entries(MEMORY).map(([name, value]) => `${name}=${value}`)
    expect(manifest.scripts.bench).toBe([...settings, "bun scripts/bench.ts"].join(" "))
  })

  it("tells the runtime of simulations what it knows", () => {
    const settings = Object.entries(SIMULATION_MEMORY).map(([name, value]) => `${name}=${value}`)
    expect(manifest.scripts.sim).toBe([...settings, "bun scripts/sim.ts"].join(" "))
    const { stderr, stdout } = Bun.spawnSync([process.execPath, "-e", "0"], {
      env: { ...SIMULATION_MEMORY, BUN_JSC_dumpOptions: "1" }
    })
    for (const [name, value] of Object.entries(SIMULATION_MEMORY))
      expect(`${stdout}${stderr}`).toContain(`${name.slice(OF_THE_HEAP.length)}=${value} (default: `)
  })

  it("runs the program all the same where a process cannot be replaced", async () => {
    const { code, pid, stdout } = await run(join(ROOT, "test", "fixtures", "launch", "load-told.ts"), "a", "b c")
    expect(JSON.parse(stdout)).toEqual({ pid, args: ["a", "b c"], cwd: dirname(ROOT), kept: "yes" })
    expect(code).toBe(7)
  })

  it("runs the command line from anywhere, with its exit codes", async () => {
    const script = join(ROOT, "scripts", "emporion.ts")
    expect(await run(script, "--version")).toMatchObject({
      code: 0,
      stdout: `emporion ${manifest.version}\n`,
      stderr: ""
    })
    expect((await run(script, "nonsense")).code).not.toBe(0)
  })

  it("bundles the pages and the document beside the programs, whose maps name the sources, all in ASCII", async () => {
    const folder = await currentBundle()
    for (const name of ["main.js", "Emporion.js", "openapi.json.br", "docs.html.gz", "dashboard/pages.json"])
      expect(existsSync(join(folder, name))).toBe(true)
    const scripts = [...new Bun.Glob("*.js").scanSync(folder)]
    for (const name of scripts) expect(readFileSync(join(folder, name), "utf8")).toMatch(/^[\0-\x7f]*$/)
    const sources = scripts.flatMap((name) =>
      (JSON.parse(readFileSync(join(folder, `${name}.map`), "utf8")) as { sources: ReadonlyArray<string> }).sources.map(
        (source) => join(folder, source)
      )
    )
    expect(sources).toContain(join(ROOT, "src", "Serving.ts"))
  })

  itLive("serves the document and the pages of its bundle, compiles as usual by then, and ends as it is told", () =>
    Effect.gen(function* () {
      const policies = join(yield* temporaryFolder, "policies")
      const { ended, pid, send, url } = yield* startServer(
        {
          DATA_DIR: yield* temporaryFolder,
          BUN_OPTIONS: `--preload=${join(ROOT, "test", "fixtures", "launch", "told-policies.ts")}`,
          TOLD_POLICIES: policies
        },
        "bun"
      )
      expect(readFileSync(policies, "utf8")).toBe("4\n1\n")
      const read = (path: string) => Effect.promise(() => textOf(url + path))
      expect(JSON.parse(yield* read("/openapi.json"))).toEqual(JSON.parse(JSON.stringify(share(make(Api)))))
      expect(yield* read("/docs")).toBe(render(make(Api)))
      const [, asset = ""] = /src="([^"]+)"/.exec(yield* read("/dashboard")) ?? []
      expect(yield* read(asset)).toBe(
        readFileSync(join(yield* Effect.promise(currentBundle), asset.replace("assets/", "")), "utf8")
      )
      expect(spawnSync("ps", ["-o", "args=", "-p", String(pid)], { encoding: "utf8" }).stdout).toContain("main.js")
      send("SIGTERM")
      expect((yield* ended).code).toBe(0)
    })
  )
})
