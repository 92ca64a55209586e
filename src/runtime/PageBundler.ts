import { Context } from "effect"
import type { Effect } from "effect"

/** What is bundled for a browser. */
export interface PageSource {
  /** A name of its own among all that is bundled. */
  readonly name: string
  /** Files with their whole paths, the program first; further programs are for its workers. */
  readonly entries: readonly [program: string, ...others: ReadonlyArray<string>]
  /** The path under which the server has the files, with a slash at its end. */
  readonly publicPath: string
}

/** One script or style. */
export interface BundledFile {
  readonly text: string
  /** The same, compressed by Brotli: not every runtime does that beside its other work. */
  readonly packed: Uint8Array
}

/** What a browser loads. */
export interface BundledPages {
  /** The name of the program among the files. */
  readonly entry: string
  /** The names of the programs for workers, in their order. */
  readonly workers: ReadonlyArray<string>
  /** By name. Each name holds a hash of its text. */
  readonly files: ReadonlyMap<string, BundledFile>
}

/** How the runtime makes scripts and styles that a browser loads. */
export class PageBundler extends Context.Service<
  PageBundler,
  {
    readonly bundle: (source: PageSource) => Effect.Effect<BundledPages>
    /** Whether the pages were bundled before, so that nobody waits for them. */
    readonly isAhead: (source: PageSource) => boolean
  }
>()("emporion/runtime/PageBundler") {}
