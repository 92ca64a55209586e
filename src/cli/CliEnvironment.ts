import { Effect, FileSystem, Layer, Path, Queue, Sink, Stdio, Stream, Terminal } from "effect"
import { ChildProcessSpawner } from "effect/process"

/** The width that help is laid out for where no terminal says its own. */
const COLUMNS = 80
const ROWS = 24

const size = { columns: process.stdout.columns || COLUMNS, rows: process.stdout.rows || ROWS }

/** How wide help may be. */
export const { columns } = size

/** Nothing here asks questions: what a command needs stands on its line. */
const terminal = Terminal.make({
  columns: Effect.succeed(size.columns),
  rows: Effect.succeed(size.rows),
  size: Effect.tap(Queue.unbounded<Terminal.Size>(), (queue) => Queue.offer(queue, size)),
  readInput: Effect.die("the commands ask nothing"),
  readLine: Effect.die("the commands ask nothing"),
  display: (text) => Effect.sync(() => void process.stdout.write(text))
})

const stdio = Stdio.make({
  args: Effect.sync(() => process.argv.slice(2)),
  stdin: Stream.empty,
  stdout: () => Sink.drain,
  stderr: () => Sink.drain,
  stdoutIsTerminal: Effect.succeed(process.stdout.isTTY),
  stderrIsTerminal: Effect.succeed(process.stderr.isTTY)
})

/** What Effect's command line needs of the system it runs on. */
export const layer: Layer.Layer<
  FileSystem.FileSystem | Path.Path | Terminal.Terminal | Stdio.Stdio | ChildProcessSpawner.ChildProcessSpawner
> = Layer.mergeAll(
  FileSystem.layerNoop({}),
  Path.layer,
  Layer.succeed(Terminal.Terminal, terminal),
  Layer.succeed(Stdio.Stdio, stdio),
  Layer.succeed(
    ChildProcessSpawner.ChildProcessSpawner,
    ChildProcessSpawner.make(() => Effect.die("the commands start no others"))
  )
)
