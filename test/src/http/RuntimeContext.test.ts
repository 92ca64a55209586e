import { describe, expect, it } from "bun:test"
import { Context } from "effect"
import { withoutServices } from "../../../src/http/RuntimeContext.ts"

class Own extends Context.Service<Own, number>()("emporion/test/Own") {}
class Runtime extends Context.Service<Runtime, number>()("effect/test/Runtime") {}

describe("RuntimeContext", () => {
  it("leaves out the program's own services, and nothing of the runtime", () => {
    const left = withoutServices(Context.make(Own, 1).pipe(Context.add(Runtime, 2)) as Context.Context<never>)
    expect([...left.mapUnsafe.keys()]).toEqual([Runtime.key])
  })
})
