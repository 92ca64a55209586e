import { describe, expect, it } from "bun:test"
import { Context, Effect, Layer } from "effect"
import { Modules, nothing } from "../../src/Module.ts"

class Lower extends Context.Service<Lower, { readonly name: string }>()("test/Lower") {}
class Upper extends Context.Service<Upper, { readonly name: string }>()("test/Upper") {}

const parts = (log: Array<string>) => ({
  lower: {
    ...nothing,
    services: Layer.sync(Lower, () => Lower.of({ name: log.push("lower's services") === 1 ? "first" : "later" })),
    background: Layer.effectDiscard(Effect.sync(() => log.push("lower's background")))
  },
  upper: {
    ...nothing,
    rows: Effect.succeed([{ answers: {} }]),
    services: Layer.effect(
      Upper,
      Effect.map(Lower, ({ name }) => ({ name: `on the ${name}` }))
    ),
    background: Layer.effectDiscard(Effect.map(Upper, () => log.push("upper's background")))
  }
})

describe("Modules", () => {
  it("give a module's services those of the modules before it", () => {
    const { lower, upper } = parts([])
    const modules = Modules.none.and(lower).and(upper)
    const name = Effect.map(Upper, ({ name }) => name).pipe(Effect.provide(modules.services))
    expect(Effect.runSync(name)).toBe("on the first")
  })

  it("have those listen first that stand on others", () => {
    const log: Array<string> = []
    const { lower, upper } = parts(log)
    const modules = Modules.none.and(lower).and(upper)
    const running = modules.background.pipe(Layer.provide(modules.services))
    Effect.runSync(Effect.scoped(Layer.build(running)))
    expect(log).toEqual(["lower's services", "upper's background", "lower's background"])
  })

  it("lack nothing of what any of them brings", () => {
    const { lower, upper } = parts([])
    const { all } = Modules.none.and(lower).and(upper)
    const rows = Effect.runSync(Effect.all(all.map((module) => module.rows)))
    expect(rows.flat()).toEqual([{ answers: {} }])
  })
})
