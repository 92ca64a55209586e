/** Loaded into a server's process before it: on SIGUSR2 it collects garbage and says how large the heap is. */
import { heapStats } from "bun:jsc"

process.on("SIGUSR2", () => {
  Bun.gc(true)
  process.stderr.write(`heap ${heapStats().heapSize} resident ${process.memoryUsage.rss()}\n`)
})
