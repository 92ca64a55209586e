import { join } from "node:path"

/** The folder of this program. */
export const ROOT = join(import.meta.dir, "..", "..")

/** How long a node may take until it is ready, in milliseconds. */
const START_LIMIT = 180_000
const POLL = 20

/** How long an ended node stays down, in milliseconds: supervisors wait a moment too. */
const RESTART_AFTER = 1_000

/** Where a node listens, and what it is started with. */
export interface NodePlace {
  readonly name: string
  /** For callers. */
  readonly port: number
  /** By which the other nodes reach it. */
  readonly address: string
  /** Where it listens for them. */
  readonly listen: string
  readonly variables: Readonly<Record<string, string>>
  /** The folder of the program that it runs until it is begun again, such as an earlier version; this one's otherwise. */
  readonly program?: string
}

/** One node in a process of its own, started again when it ends, as a supervisor does. */
export class NodeProcess {
  readonly place: NodePlace
  /** What it wrote to standard error, of all its lives. */
  log = ""
  /** What it wrote to standard output, of all its lives. */
  said = ""
  /** How often it was started. */
  starts = 0
  #child: Bun.Subprocess | undefined
  #isOver = false
  #program: string

  constructor(place: NodePlace) {
    this.place = place
    this.#program = place.program ?? ROOT
    this.#start()
  }

  get pid(): number {
    return this.#child?.pid ?? 0
  }

  get url(): string {
    return `http://127.0.0.1:${this.place.port}`
  }

  /** Sends a signal. */
  send(signal: NodeJS.Signals): void {
    this.#child?.kill(signal)
  }

  /** Starts it again after its end, with the program of a folder: this one, or a later version. */
  begin(program = ROOT): void {
    this.#isOver = false
    this.#program = program
    this.#start()
  }

  /** Ends it for good, or until it is begun again. Answers its exit code. */
  async end(signal: NodeJS.Signals = "SIGTERM"): Promise<number | null> {
    this.#isOver = true
    this.#child?.kill("SIGCONT")
    this.#child?.kill(signal)
    await this.#child?.exited
    return this.#child?.exitCode ?? null
  }

  /** Waits until it is ready. */
  async ready(): Promise<void> {
    const until = performance.now() + START_LIMIT
    while (performance.now() < until) {
      const isReady = await fetch(`${this.url}/health/ready`).then(
        ({ ok }) => ok,
        () => false
      )
      if (isReady) return
      await Bun.sleep(POLL)
    }
    throw new Error(`${this.place.name} was not ready in time:\n${this.log.slice(-4_000)}`)
  }

  #start(): void {
    const { address, listen, port, variables } = this.place
    this.starts += 1
    const child = Bun.spawn([process.execPath, join(this.#program, "scripts", "start.ts")], {
      env: {
        PATH: process.env["PATH"] ?? "",
        TMPDIR: process.env["TMPDIR"] ?? "/tmp",
        CLUSTER: "on",
        NODE_ADDRESS: address,
        NODE_LISTEN: listen,
        PORT: String(port),
        ...variables
      },
      stdio: ["ignore", "pipe", "pipe"]
    })
    this.#child = child
    void this.#read(child.stderr, "log")
    void this.#read(child.stdout, "said")
    void this.#again(child)
  }

  async #again(child: Bun.Subprocess): Promise<void> {
    await child.exited
    await Bun.sleep(RESTART_AFTER)
    if (!this.#isOver && this.#child === child) this.#start()
  }

  async #read(stream: ReadableStream<Uint8Array>, name: "log" | "said"): Promise<void> {
    const decoder = new TextDecoder()
    for await (const chunk of stream) this[name] += decoder.decode(chunk, { stream: true })
  }
}
