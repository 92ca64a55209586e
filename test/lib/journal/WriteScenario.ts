import { Effect } from "effect"
import type { Batch } from "../../../engine/actor/Journal.ts"
import { fromUnits } from "../../../engine/money/Amount.ts"
import type { PlatformEvent } from "../../../engine/replay/PlatformEvent.ts"
import { SeededRandom } from "../../../engine/simulation/SeededRandom.ts"
import { plannedActs, plannedBatch } from "../LedgerPlans.ts"
import type { Asked, Fate } from "../../../engine/simulation/CallFate.ts"
import type { FateOf } from "./Fates.ts"
import type { ServerParts, WriteServed } from "./WriteWorld.ts"
import { WriteWorld } from "./WriteWorld.ts"

/** How much is asked, and by how many. */
interface ScenarioSize {
  readonly callers: number
  /** Requests of each caller. */
  readonly requests: number
}

const USUAL: ScenarioSize = { callers: 5, requests: 12 }

/** As many entries as have a second group sent before the first is answered. */
const BURST = 12

const KEYS = 8
const FUNDS = 4
const DAY = 86_400_000

/** Faults at any moment, `permille` times in a thousand calls. */
const randomFates = (seed: number, permille: number): FateOf => {
  const random = new SeededRandom(seed, "fates")
  return ({ call, server }: Asked): Fate => {
    const [there, back] = [random.below(6), random.below(6)]
    if (server > 12 || !random.chance(call === "tell" ? permille / 4 : permille))
      return { there, back, becomes: "done" }
    const becomes = random.pick<Fate["becomes"]>(["done", "done", "lost", "unanswered", "begun", "late", "full"])
    const harm = random.below(8)
    return {
      there,
      back,
      becomes: call === "project" || becomes !== "full" ? becomes : "lost",
      late: random.below(random.chance(100) ? 10_000 : 60),
      ...(harm === 0 && { kill: random.pick(["sent", "done", "answered"]) }),
      ...(harm === 1 && { pause: random.below(3_000), rival: random.chance(700) }),
      ...(harm === 2 && { rival: true })
    }
  }
}

interface Drawn {
  readonly world: WriteWorld
  readonly random: SeededRandom
  /** What was placed so far, by all callers. */
  readonly placed: Array<string>
}

const drawn = ({ placed, random }: Drawn): Batch<PlatformEvent> =>
  plannedBatch(
    {
      owner: random.below(3),
      stream: random.below(4),
      act: plannedActs[random.below(plannedActs.length)] ?? "mint",
      of: random.below(10)
    },
    placed
  )

/** Under a key and for a fund that others ask for as well. */
const keyed = (draw: Drawn): Batch<PlatformEvent> => {
  const { random } = draw
  const batch = drawn(draw)
  const [key, owner] = [`shared/${random.below(KEYS)}`, `owner${random.below(3)}`]
  return {
    ...batch,
    entries: batch.entries.map(({ commands }) => ({
      commands,
      idempotency: { key, fingerprint: "f" },
      event: {
        _tag: "FundsMinted",
        at: 1,
        fundId: `fund/${random.below(FUNDS)}`,
        owner,
        asset: "USD",
        amount: fromUnits(1n),
        externalReference: null
      }
    }))
  }
}

/** Writes until it has an answer, as a caller that repeats its request under its key. */
const insist = Effect.fnUntraced(function* (world: WriteWorld, batch: Batch<PlatformEvent>) {
  for (let tries = 0; tries < 4; tries++) {
    const { served } = world
    if (served !== undefined) {
      const answer = yield* world.append(served, batch)
      if (answer._tag === "Accepted" || answer._tag === "Refused") return
    }
    yield* Effect.sleep(30)
  }
})

/** Decides on what the tables say, as long as another comes first. */
const onVersion = Effect.fnUntraced(function* (draw: Drawn, served: WriteServed) {
  const { world } = draw
  const batch = drawn(draw)
  for (let tries = 0; tries < 3; tries++) {
    const version = yield* world.read(served, ({ tables }) => tables.heads.get(batch.stream)?.version ?? 0)
    if (version === undefined) return
    const answer = yield* world.append(served, { ...batch, version })
    if (answer._tag !== "Refused" || !answer.stale) return
  }
})

const request = Effect.fnUntraced(function* (draw: Drawn) {
  const { random, world } = draw
  const { served } = world
  if (served === undefined) return
  const kind = random.below(10)
  if (kind < 3) return yield* world.read(served, () => undefined)
  if (kind < 5) return yield* insist(world, keyed(draw))
  if (kind < 7) return yield* onVersion(draw, served)
  if (kind < 8) {
    const many = Array.from({ length: BURST }, () => drawn(draw))
    return yield* Effect.forEach(many, (one) => world.append(served, one), { concurrency: "unbounded", discard: true })
  }
  return yield* insist(world, drawn(draw))
})

const caller = Effect.fnUntraced(function* (draw: Drawn, requests: number) {
  const { random, world } = draw
  for (let number = 0; number < requests && world.problem === undefined; number++) {
    const pause = random.below(60)
    yield* Effect.sleep(pause)
    yield* request(draw)
    if (random.chance(25)) for (const server of world.servers) server.offset += random.below(4_000) - 2_000
    if (random.chance(5)) for (const server of world.servers) server.offset += DAY + 1
  }
})

/** Plays callers on servers that fail as the fates have it. Answers the world as it is after the end. */
export const play = (
  seed: number,
  fateOf: FateOf,
  parts: Partial<ServerParts> = {},
  size: ScenarioSize = USUAL
): WriteWorld => {
  const world = new WriteWorld(seed, fateOf, parts)
  const placed: Array<string> = []
  const callers = Array.from({ length: size.callers }, (_, index) =>
    caller({ world, placed, random: new SeededRandom(seed, `caller ${index}`) }, size.requests)
  )
  world.run(Effect.all(callers, { concurrency: "unbounded", discard: true }))
  return world
}

/** Which worlds are played. */
interface Sweep {
  readonly seeds: number
  /** Faults in a thousand calls. */
  readonly permille: number
  readonly parts?: Partial<ServerParts>
  readonly size?: ScenarioSize
  readonly first?: number
  /** Over after the first problem. */
  readonly isOverAtFirst?: boolean
  /** Over after so many writes and reads. */
  readonly until?: number
}

/** Plays one world after the other. Answers what was found, by seed, and how much was done. */
export const playSeeds = ({
  first = 1,
  isOverAtFirst = false,
  parts,
  permille,
  seeds,
  size,
  until = Number.POSITIVE_INFINITY
}: Sweep) => {
  const problems: Array<string> = []
  const done = { writes: 0, reads: 0, servers: 0 }
  for (let seed = first; seed < first + seeds; seed++) {
    const world = play(seed, randomFates(seed, permille), parts, size)
    done.writes += world.writes
    done.reads += world.reads
    done.servers += world.servers.length
    if (world.problem !== undefined) problems.push(`seed ${seed}: ${world.problem}`)
    if ((isOverAtFirst && problems.length > 0) || done.writes + done.reads >= until) break
  }
  return { problems, ...done }
}
