import { expect, it } from "bun:test"
import fc from "fast-check"
import { blocksLeft, commandText, scenarioOf } from "../../../scripts/campaign/Campaign.ts"

const campaign = {
  commit: "c",
  firstSeed: 1,
  seeds: 100,
  block: 10,
  orders: 4,
  traders: 6,
  bots: 3,
  companies: 0,
  faults: true,
  vary: true
}

it("The blocks of a campaign have each seed once, but for those that are done", () => {
  const first = fc.integer({ min: 0, max: 1_000 })
  const seeds = fc.integer({ min: 1, max: 60 })
  fc.assert(
    fc.property(first, seeds, fc.integer({ min: 1, max: 20 }), fc.nat(3), (firstSeed, seeds, block, every) => {
      const isDone = (seed: number) => every > 0 && ((seed - firstSeed) / block) % (every + 1) === 0
      const left = [...blocksLeft({ ...campaign, firstSeed, seeds, block }, isDone)].flat().map(({ seed }) => seed)
      const all = Array.from({ length: seeds }, (_, index) => firstSeed + index)
      const expected = all.filter((seed) => !isDone(seed - ((seed - firstSeed) % block)))
      expect(left).toEqual(expected)
    })
  )
})

it("A campaign that varies has every rule and both schedulers, the same for the same seed", () => {
  const specs = Array.from({ length: 200 }, (_, seed) => scenarioOf(campaign, seed))
  expect(new Set(specs.map(({ rule }) => rule)).size).toBe(3)
  const bounded = specs.filter(({ depth }) => depth !== undefined).length
  expect(bounded).toBeGreaterThan(10)
  expect(bounded).toBeLessThan(50)
  expect(specs).toEqual(Array.from({ length: 200 }, (_, seed) => scenarioOf(campaign, seed)))
  expect(scenarioOf({ ...campaign, vary: false, bots: 0 }, 7)).toEqual({ seed: 7, orders: 4, traders: 6, faults: true })
})

it("A campaign in a world has its traders and bots", () => {
  const inWorld = { ...campaign, traders: 0, bots: 0, vary: false, worldHash: "1" }
  expect(scenarioOf(inWorld, 7)).toEqual({ seed: 7, orders: 4, traders: 0, faults: true, world: "FILE" })
  expect(scenarioOf(inWorld, 7, "my world.json").world).toBe("my world.json")
  expect(commandText(inWorld)).toBe(
    "npm run sim -- campaign FOLDER --seed 1 --seeds 100 --block 10 --orders 4 --world FILE --faults"
  )
})

it("A campaign's command has all that it is made from", () => {
  expect(commandText(campaign)).toBe(
    "npm run sim -- campaign FOLDER --seed 1 --seeds 100 --block 10 --orders 4 --traders 6 --bots 3 --faults --vary"
  )
})
