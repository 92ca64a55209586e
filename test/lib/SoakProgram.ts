import { Effect } from "effect"
import type { Scope } from "effect"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"
import type { StreamItem } from "../../packages/client/src/ArenaStreamClient.ts"
import type { LogPosition } from "../../packages/client/src/StreamProgress.ts"
import type { Labels } from "./SoakTranscript.ts"
import { SoakTranscript } from "./SoakTranscript.ts"

/** What a program of the soak writes, as a line of JSON each. */
type Line =
  | StreamItem
  /** Its first subscription stands. */
  | { readonly kind: "live"; readonly position: LogPosition }
  /** It does not go on. */
  | { readonly kind: "ended"; readonly why?: string }

/** Passes connections on to a port until they are cut. */
const cuttingProxy = (port: number) =>
  Effect.gen(function* () {
    const open = new Set<Socket>()
    const proxy = yield* Effect.acquireRelease(
      Effect.sync(() =>
        createServer((client) => {
          const server = connect(port, "127.0.0.1")
          for (const [one, other] of [
            [client, server],
            [server, client]
          ] as const) {
            open.add(one)
            one.pipe(other)
            one.on("error", () => other.destroy())
            one.on("close", () => {
              open.delete(one)
              other.destroy()
            })
          }
        })
      ),
      (each) =>
        Effect.sync(() => {
          for (const socket of open) socket.destroy()
          each.close()
        })
    )
    yield* Effect.callback<void>((resume) => void proxy.listen(0, "127.0.0.1", () => resume(Effect.void)))
    const cut = (): void => {
      for (const socket of open) socket.destroy()
    }
    return { port: (proxy.address() as AddressInfo).port, cut }
  })

/**
 * A client of the stream in a process of its own, in any language. It is started with the server's address as its last
 * argument, subscribes to `orders`, `commitments` and `settlements` without a snapshot, and writes a {@link Line} for
 * whatever it is told.
 */
export class SoakProgram {
  readonly transcript: SoakTranscript
  readonly cut: () => void
  readonly #name: string

  private constructor(name: string, transcript: SoakTranscript, cut: () => void) {
    this.#name = name
    this.transcript = transcript
    this.cut = cut
  }

  get state(): string {
    return this.#name
  }

  static readonly start = (
    command: ReadonlyArray<string>,
    serverPort: number,
    labels: Labels
  ): Effect.Effect<SoakProgram, never, Scope.Scope> =>
    Effect.gen(function* () {
      const { cut, port } = yield* cuttingProxy(serverPort)
      const transcript = new SoakTranscript(labels)
      const child = yield* Effect.acquireRelease(
        Effect.sync(() =>
          Bun.spawn([...command, `http://127.0.0.1:${port}`], { stdin: "ignore", stdout: "pipe", stderr: "inherit" })
        ),
        (each) => Effect.promise(() => (each.kill(), each.exited))
      )
      void readLines(child.stdout, transcript).catch((failure: unknown) => transcript.end(String(failure)))
      return new SoakProgram(command.join(" "), transcript, cut)
    })
}

const readLines = async (stdout: ReadableStream<Uint8Array>, transcript: SoakTranscript): Promise<void> => {
  const decoder = new TextDecoder()
  let rest = ""
  for await (const chunk of stdout) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n")
    rest = lines.pop() ?? ""
    for (const text of lines) {
      const line: Line = JSON.parse(text)
      if (line.kind === "live") transcript.begin(line.position.seq)
      else if (line.kind === "ended") transcript.end(line.why)
      else transcript.take(line)
    }
  }
}
