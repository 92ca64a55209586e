import { Context } from "effect"
import { lookup } from "node:dns"

/** Tells the addresses of a name, or why there are none. Called back once. */
export type Resolve = (name: string, done: (error: Error | null, addresses: ReadonlyArray<string>) => void) => void

const bySystem: Resolve = (name, done) =>
  lookup(name, { all: true }, (error, found) => done(error, error ? [] : found.map(({ address }) => address)))

/** How names become addresses: by the system, as its other programs do, unless a test says otherwise. */
export class NameResolver extends Context.Service<NameResolver, { readonly resolve: Resolve }>()(
  "emporion/webhooks/NameResolver"
) {
  static readonly system = this.of({ resolve: bySystem })
}
