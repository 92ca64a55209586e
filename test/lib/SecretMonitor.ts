import { Logger } from "effect"
import { openSync, writeSync } from "node:fs"
import { join } from "node:path"
import { type LogLine, MAILED, MIN_LENGTH, SECRETS_FOLDER, type UsedSecret } from "../../scripts/SecretScan.ts"

/** Fields of bodies whose values nobody else may know, and such that are only when they are sent. */
const SECRET_FIELD = /(^|_)(password|secret|token|ticket|verifier)$/
/** Fields of bodies that identify a person or an account, which only their subject reads. */
const PERSONAL_FIELD = /^(identityId|phoneNumber|accountNumber)$/
const SENT_FIELD = /^(code|assertion)$/

/** Generated requests have mail addresses in the place of secrets, which are public elsewhere. */
const MAIL_ADDRESS = /^[^\s@]+@[^\s@]+$/

/** How deep in a body secrets are looked for. */
const MAX_DEPTH = 5

const folder = process.env[SECRETS_FOLDER]
const files = new Map<string, number>()
const known = new Set<string>()

/** One line of JSON in this process's own file of the run's folder, if there is a run that looks for secrets. */
const write = (kind: "secrets" | "log", line: UsedSecret | LogLine): void => {
  if (folder === undefined) return
  let file = files.get(kind)
  if (file === undefined) {
    file = openSync(join(folder, `${kind}-${process.pid}.jsonl`), "a")
    files.set(kind, file)
  }
  writeSync(file, `${JSON.stringify(line)}\n`)
}

/** Remembers a secret that must be in no log of the run. Short ones could be there by chance. */
export const useSecret = (what: string, value: string): void => {
  if (folder === undefined || value.length < MIN_LENGTH || known.has(value) || MAIL_ADDRESS.test(value)) return
  known.add(value)
  write("secrets", { what, value })
}

/** Remembers what was logged. */
export const seeLog = (from: string, text: string): void => {
  if (text !== "" && !MAILED.test(text)) write("log", { from, text })
}

/** A logger that remembers every line, as a server's own would write it. */
export const watchingLogger = Logger.map(Logger.formatJson, (text) => seeLog("log", text))

/** Whether a run looks for secrets. */
export const isWatching = folder !== undefined

const useFields = (value: unknown, fields: ReadonlyArray<RegExp>, depth = MAX_DEPTH): void => {
  if (typeof value !== "object" || value === null || depth === 0) return
  for (const [name, held] of Object.entries(value)) {
    if (typeof held === "string" && fields.some((field) => field.test(name))) useSecret(name, held)
    else useFields(held, fields, depth - 1)
  }
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return Object.fromEntries(new URLSearchParams(text))
  }
}

const useCookie = (cookie: string): void => {
  for (const part of cookie.split(/;\s*/)) {
    const [name = "", value = ""] = part.split("=", 2)
    if (!/^(path|domain|expires|max-age|samesite)$/i.test(name)) useSecret(`cookie ${name}`, value)
  }
}

/** Remembers the secrets of a request and its answer. */
export const useExchange = (init: RequestInit, answer: { readonly headers: Headers; readonly json: unknown }): void => {
  if (folder === undefined) return
  const sent = new Headers(init.headers)
  const [scheme = "", credentials = ""] = (sent.get("authorization") ?? "").split(" ", 2)
  useSecret("authorization", credentials)
  if (scheme.toLowerCase() === "basic") useSecret("client_secret", atobOrEmpty(credentials).split(":")[1] ?? "")
  useCookie(sent.get("cookie") ?? "")
  for (const cookie of answer.headers.getSetCookie()) useCookie(cookie)
  if (typeof init.body === "string" || init.body instanceof URLSearchParams) {
    useFields(parsed(String(init.body)), [SECRET_FIELD, SENT_FIELD, PERSONAL_FIELD])
  }
  useFields(answer.json, [SECRET_FIELD, PERSONAL_FIELD])
}

const atobOrEmpty = (text: string): string => {
  try {
    return atob(text)
  } catch {
    return ""
  }
}
