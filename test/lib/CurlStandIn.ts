/**
 * Does what the documentation's `curl` lines ask for, on a machine that may not have curl: `-s`, `-X`, `-H`, and `-d`,
 * whose `@-` is the input. Fails by anything else, so that a line that asks for more is seen.
 */
import { parseArgs } from "node:util"

const { positionals, values } = parseArgs({
  args: process.argv.slice(2),
  allowPositionals: true,
  options: {
    silent: { type: "boolean", short: "s" },
    request: { type: "string", short: "X" },
    header: { type: "string", short: "H", multiple: true, default: [] },
    data: { type: "string", short: "d", multiple: true, default: [] }
  }
})
const [url = "", ...others] = positionals
if (others.length > 0) throw new Error(`one address, not also ${others.join(" ")}`)

const parts = await Promise.all(values.data.map((part) => (part === "@-" ? Bun.stdin.text() : part)))
const headers = new Headers(
  values.header.map((line): [string, string] => {
    const at = line.indexOf(":")
    return [line.slice(0, at), line.slice(at + 1).trim()]
  })
)
if (parts.length > 0 && !headers.has("content-type")) headers.set("content-type", "application/x-www-form-urlencoded")
const body = parts.join("&")
const method = values.request ?? (parts.length > 0 ? "POST" : "GET")
const response = await fetch(url, { method, headers, ...(body === "" ? {} : { body }) })
process.stdout.write(await response.text())
