import { describe, expect, it } from "bun:test"
import { Effect, Fiber } from "effect"
import {
  type CarryingProcess,
  type Naming,
  NodeCarriers,
  type Respond
} from "../../../engine/simulation/NodeCarriers.ts"
import { NodeFaults } from "../../../engine/simulation/NodeFaults.ts"
import { DONE, ELSEWHERE, type NodeRequest } from "../../../engine/simulation/NodeRequest.ts"
import { makeNodesScenario } from "../../../engine/simulation/NodesScenario.ts"
import { SeededRandom } from "../../../engine/simulation/SeededRandom.ts"
import { VirtualClock } from "../../../engine/simulation/VirtualClock.ts"

const [plan] = makeNodesScenario({ seed: 1, nodes: 2, requests: 1 }).requests

/** A node, and one that writes and answers when it is told to. */
const sending = () => {
  const clock = new VirtualClock(0, new SeededRandom(1, "clock"))
  const seen: Array<readonly [carrier: string, number: number, sending: NodeRequest["sending"]]> = []
  const opened: Array<string> = []
  const waiting: Array<Respond> = []
  let mourn = () => {}
  const writer: CarryingProcess = {
    node: 1,
    number: 2,
    opened: (carrier) => void opened.push(carrier),
    askedOn: (carrier, { number, request }, respond) => {
      seen.push([carrier, number, request.sending])
      waiting.push(respond)
    },
    onDeath: (given) => void (mourn = given)
  }
  const carriers = new NodeCarriers(0, 1, {
    board: new NodeFaults(clock, new SeededRandom(1, "board")),
    clock,
    run: (task) => task(),
    writerOf: (number) => (number === 2 ? writer : undefined)
  })
  const send = (naming: Naming, to = 2) => {
    if (plan === undefined) throw new Error("no request")
    return Effect.runFork(carriers.send({ plan, key: "node/0" }, naming, to))
  }
  const pass = (): void => {
    while (clock.advance());
  }
  const outcome = (fiber: ReturnType<typeof send>) => {
    pass()
    return Effect.runPromise(Fiber.join(fiber))
  }
  return { die: () => mourn(), opened, outcome, pass, seen, send, waiting }
}

describe("The connections of a simulated node", () => {
  it("carry a request under a name, and again under the same one", async () => {
    const { opened, outcome, pass, seen, send, waiting } = sending()
    const naming: Naming = { behind: 7, name: undefined }
    const first = send(naming)
    pass()
    waiting[0]?.({ status: ELSEWHERE, body: "" })
    expect(await outcome(first)).toEqual({ _tag: "Unsent" })
    const again = send(naming)
    pass()
    waiting[1]?.({ status: DONE, body: "" })
    expect(await outcome(again)).toMatchObject({ _tag: "Answered" })
    expect([opened, seen]).toEqual([
      ["1.1"],
      [
        ["1.1", 1, { name: "@7/1.1/1", isFirst: true }],
        ["1.1", 2, { name: "@7/1.1/1", isFirst: false }]
      ]
    ])
  })

  it("have an unknown outcome where they end, and another one begins then", async () => {
    const { die, opened, outcome, pass, send } = sending()
    const lost = send({ behind: 0, name: undefined })
    pass()
    die()
    expect(await outcome(lost)).toEqual({ _tag: "Unknown" })
    send({ behind: 0, name: undefined })
    pass()
    expect(opened).toEqual(["1.1", "1.2"])
    const nowhere: Naming = { behind: 0, name: undefined }
    expect(await outcome(send(nowhere, 3))).toEqual({ _tag: "Unsent" })
    expect(nowhere.name).toBeUndefined()
  })
})
