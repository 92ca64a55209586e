import { Effect, Redacted } from "effect"
import { CommandFailed } from "./CommandFailed.ts"

/** Least characters of an administrator's password, as of `ADMIN_PASSWORD`, and most of any. */
const LEAST = 12
const MOST = 256

/** Longest input that is read for one. */
const MAX_BYTES = 4_096

/** What the keys send: Enter and Ctrl-D, Ctrl-C, Backspace. */
const ENTER: ReadonlySet<string> = new Set(["\r", "\n", "\u0004"])
const INTERRUPT = "\u0003"
const ERASE: ReadonlySet<string> = new Set(["\b", "\u007f"])

/** Reads a line for each question, of which nothing is shown while it is typed; undefined where that was interrupted. */
export const typed = (questions: ReadonlyArray<string>): Promise<ReadonlyArray<string> | undefined> =>
  new Promise((resolve) => {
    const { stdin } = process
    const lines: Array<string> = []
    let line = ""
    const end = (answer: ReadonlyArray<string> | undefined): void => {
      stdin.off("data", take)
      stdin.setRawMode(false)
      stdin.pause()
      process.stderr.write("\n")
      resolve(answer)
    }
    const take = (chunk: Buffer): void => {
      for (const character of chunk.toString("utf8")) {
        if (character === INTERRUPT) return end(undefined)
        if (ENTER.has(character)) {
          lines.push(line)
          line = ""
          const next = questions[lines.length]
          if (next === undefined) return end(lines)
          process.stderr.write(`\n${next}`)
        } else if (ERASE.has(character)) line = line.slice(0, -1)
        else if (line.length < MAX_BYTES) line += character
      }
    }
    stdin.setRawMode(true)
    stdin.resume()
    stdin.on("data", take)
    process.stderr.write(questions[0] ?? "")
  })

const twice = Effect.fnUntraced(function* (whose: string) {
  const questions = [`Password for ${whose} (at least ${LEAST} characters, not shown): `, "Again: "]
  const answers = yield* Effect.promise(() => typed(questions))
  if (answers === undefined) return yield* Effect.interrupt
  const [first = "", second] = answers
  return first === second ? first : yield* new CommandFailed({ message: "The two passwords are not the same." })
})

/** The first line of standard input. */
const piped = Effect.promise(async () => {
  let text = ""
  for await (const chunk of process.stdin) {
    text += String(chunk)
    if (text.includes("\n") || text.length > MAX_BYTES) break
  }
  return text.split(/\r?\n/)[0] ?? ""
})

/**
 * A new password: asked for twice at a terminal, else the first line of standard input. Never an argument, which every
 * user of the machine could see.
 */
export const newPassword = Effect.fn("PasswordInput.new")(function* (whose: string) {
  const password = yield* process.stdin.isTTY ? twice(whose) : piped
  if (password === "") {
    const message = "No password was given: type it at a terminal, or pass it as the first line of standard input."
    return yield* new CommandFailed({ message })
  }
  if (password.length >= LEAST && password.length <= MOST) return Redacted.make(password)
  return yield* new CommandFailed({ message: `The password has to have ${LEAST} to ${MOST} characters.` })
})
