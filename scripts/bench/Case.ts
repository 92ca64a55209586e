import type { Effect, Scope } from "effect"
import type { BenchPostgres } from "./BenchPostgres.ts"
import type { Row } from "./Row.ts"

/** What a case runs with. */
export interface Bench {
  readonly postgres: BenchPostgres
  /** A smoke run: everything happens, once and briefly, and the figures mean nothing. */
  readonly quick: boolean
  /** The {@link Case.variants} that are played, of any case. */
  readonly variants: ReadonlyArray<string> | undefined
  /** Tells how far it is. */
  readonly say: (text: string) => void
}

/** One idea, measured. It leaves nothing running behind its scope. */
export interface Case {
  /** A letter. */
  readonly key: string
  readonly title: string
  /** What it does in several ways has names, by which some of them can be played alone. */
  readonly variants?: ReadonlyArray<string>
  readonly run: (bench: Bench) => Effect.Effect<ReadonlyArray<Row>, never, Scope.Scope>
}

/** Those of a case's variants that are played: all of them where none of them is named. */
export const playedOf = ({ variants = [] }: Pick<Bench, "variants">, names: ReadonlyArray<string>) => {
  const named = names.filter((name) => variants.includes(name))
  return named.length === 0 ? names : named
}
