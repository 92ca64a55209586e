import { describe, expect, it } from "bun:test"
import { BusyThreads, type ThreadSigns } from "../../../../src/bots/programs/BusyThreads.ts"

const MIB = 1_048_576
const LIMIT = 100

/** A process that takes what it is said to, and what comes of its threads. */
class WatchedProcess {
  mib = 500
  readonly ended: Array<string> = []
  readonly threads = new BusyThreads(() => this.mib * MIB)

  /** A thread that answers at once where it is asked, or one that is busy. */
  thread(name: string, isBusy: boolean): ThreadSigns {
    const signs: ThreadSigns = this.threads.watch({
      limitMib: LIMIT,
      ask: () => isBusy || signs.spoke(),
      end: () => void this.ended.push(name)
    })
    return signs
  }

  /** Looks as often as there are growths, in MiB. */
  grow(...growths: ReadonlyArray<number>): void {
    for (const mib of growths) {
      this.mib += mib
      this.threads.look()
    }
  }
}

describe("the memory of busy threads", () => {
  it("ends one that is silent while the process grows beyond its limit, and none that speaks", () => {
    const watched = new WatchedProcess()
    watched.thread("speaks", false)
    watched.thread("busy", true)
    watched.grow(LIMIT, 0, 0, 0)
    expect(watched.ended).toEqual([])
    watched.grow(1, 0)
    expect(watched.ended).toEqual([])
    watched.grow(0)
    expect(watched.ended).toEqual(["busy"])
    watched.grow(10 * LIMIT, 0, 0, 0)
    expect(watched.ended).toEqual(["busy"])
  })

  it("ends of several the one that was told last, and lets the others begin anew", () => {
    const watched = new WatchedProcess()
    const last = watched.thread("last", true)
    watched.thread("first", true)
    watched.grow(0)
    last.told()
    watched.grow(LIMIT + 1, 0, 0)
    expect(watched.ended).toEqual(["last"])
    watched.grow(-LIMIT, LIMIT, 0, 0, 0)
    expect(watched.ended).toEqual(["last"])
    watched.grow(1, 0, 0)
    expect(watched.ended).toEqual(["last", "first"])
  })

  it("takes nothing for one's own that came before it was told, and all that came after another gave memory back", () => {
    const watched = new WatchedProcess()
    const busy = watched.thread("busy", true)
    watched.grow(LIMIT, 0, 0, 0)
    busy.told()
    watched.grow(LIMIT, 0, 0, 0)
    expect(watched.ended).toEqual([])
    watched.grow(-LIMIT, LIMIT + 1, 0, 0)
    expect(watched.ended).toEqual(["busy"])
  })

  it("ends none that is gone", () => {
    const watched = new WatchedProcess()
    watched.thread("busy", true).stop()
    expect(watched.threads.isIdle).toBe(true)
    watched.grow(2 * LIMIT, 0, 0, 0)
    expect(watched.ended).toEqual([])
  })
})
