import { describe, expect, it } from "bun:test"
import { existsSync, readFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"

const root = join(import.meta.dir, "../..")
const read = (path: string): string => readFileSync(join(root, path), "utf8")

const container = read("deploy/Containerfile")

/** The files and folders that the image has of the sources, before it installs. */
const COPIED = [...container.matchAll(/^COPY (.+)$/gm)].flatMap(([, paths = ""]) => paths.split(" ").slice(0, -1))

const isCopied = (path: string): boolean => COPIED.some((copied) => path === copied || path.startsWith(`${copied}/`))

/** What a module reads of the sources: what it imports, and files by a path from its own place. */
const REACHED = /(?:from|import|import\(|new URL\()\s*"(\.{1,2}\/[^"]+)"/g

/** Paths of what a folder's modules reach, from the root. */
const reached = (folder: string): ReadonlyArray<string> =>
  [...new Bun.Glob("**/*.{ts,tsx}").scanSync(join(root, folder))].flatMap((file) => {
    const path = join(root, folder, file)
    return [...readFileSync(path, "utf8").matchAll(REACHED)].map(([, target = ""]) =>
      relative(root, join(dirname(path), target))
    )
  })

/** Keys of systemd.exec, systemd.service, systemd.unit and systemd.kill that the unit may have, by their section. */
const KEYS = new Map(
  Object.entries({
    Unit: "Description After Wants",
    Service: `Type User Group WorkingDirectory Environment EnvironmentFile ExecStart TimeoutStopSec Restart RestartSec
      StateDirectory StateDirectoryMode LimitNOFILE NoNewPrivileges PrivateTmp ProtectHome ProtectSystem ReadWritePaths`,
    Install: "WantedBy"
  }).map(([section, keys]) => [section, keys.split(/\s+/)])
)

const unit = read("deploy/emporion.service")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))

const settings = read("docs/operating/settings.md")

describe("What an operator installs", () => {
  it("copies into the image what is there, and all that the program reaches of its sources", () => {
    expect(COPIED.filter((path) => !existsSync(join(root, path)))).toEqual([])
    const program = ["src", "engine", "packages/client"].flatMap(reached)
    expect(program.length).toBeGreaterThan(2_000)
    expect(program.filter((path) => !isCopied(path) && !path.startsWith("node_modules/"))).toEqual([])
    expect(isCopied("test/lib/TestServer.ts")).toBe(false)
  })

  it("starts the image as the package does, and asks for its health where it answers", () => {
    const { scripts } = JSON.parse(read("package.json")) as { readonly scripts: Readonly<Record<string, string>> }
    expect(container).toContain('CMD ["npm", "start"]')
    expect(scripts["start"]).toBeDefined()
    const port = /http:\/\/127\.0\.0\.1:(\d+)\/health\/ready/.exec(container)?.[1]
    expect([port, /^EXPOSE (\d+)$/m.exec(container)?.[1]]).toEqual(["3000", port])
    expect(settings).toContain("`3000`")
  })

  it("sets variables that there are", () => {
    const set = [
      ...[...container.matchAll(/^ENV (.+)$/gm)].flatMap(([, text = ""]) => text.split(" ")),
      ...unit.flatMap((line) => /^Environment=(.+)$/.exec(line)?.[1] ?? [])
    ].map((one) => one.split("=")[0] ?? "")
    expect(set).toEqual(["DATA_DIR", "HOST", "DATA_DIR"])
    expect(set.filter((name) => !settings.includes(`\`${name}\``))).toEqual([])
  })

  it("has a unit of known sections and keys, each with a value", () => {
    const wrong: Array<string> = []
    let section = ""
    for (const line of unit) {
      const named = /^\[(\w+)\]$/.exec(line)?.[1]
      if (named !== undefined) section = named
      else if (!(KEYS.get(section) ?? []).some((key) => line.startsWith(`${key}=`) && line.length > key.length + 1))
        wrong.push(line)
    }
    expect(wrong).toEqual([])
    expect(unit).toContain("WorkingDirectory=/opt/emporion")
    expect(unit).toContain("ExecStart=/usr/bin/npm start")
  })
})
