/** What a worker is told, as a JSON file. */
export interface Plan {
  /** Absolute paths of the test files of the mutated copy. */
  readonly tests: ReadonlyArray<string>
  /** Ids of the mutants to try, in order. */
  readonly mutants: ReadonlyArray<string>
  /** Where the worker appends one {@link Verdict} a line. */
  readonly results: string
}

/**
 * - `killed`, `timeout`: a test noticed, by failing or by never ending.
 * - `survived`: every test that reaches the mutant passed.
 * - `unreached`: no test reaches it.
 * - `static`: it is only evaluated while modules load, so a warm process cannot try it.
 */
export type Status = "killed" | "timeout" | "survived" | "unreached" | "static"

/** A line of a worker's results. `begun` is written before a mutant is tried: the last one without an end has hung. */
export type Verdict =
  | { readonly _tag: "Ready"; readonly tests: number; readonly milliseconds: number }
  | { readonly _tag: "Broken"; readonly reason: string }
  | { readonly _tag: "Begun"; readonly id: string }
  | { readonly _tag: "Ended"; readonly id: string; readonly status: Status; readonly by: string | undefined }
