import { describe, expect, it } from "bun:test"
import { Scheduler } from "effect"
import { NodeFaults } from "../../../engine/simulation/NodeFaults.ts"
import { NodeProcess, SHIPPED_NODE } from "../../../engine/simulation/NodeProcess.ts"
import type { NodeResponse } from "../../../engine/simulation/NodeRequest.ts"
import { NodesAudit } from "../../../engine/simulation/NodesAudit.ts"
import { NodesDatabase } from "../../../engine/simulation/NodesDatabase.ts"
import { makeNodesScenario } from "../../../engine/simulation/NodesScenario.ts"
import { SeededRandom } from "../../../engine/simulation/SeededRandom.ts"
import { VirtualClock } from "../../../engine/simulation/VirtualClock.ts"
import { VirtualScheduler } from "../../../engine/simulation/VirtualScheduler.ts"
import { link } from "../../../src/database/ChainLink.ts"

/** Two nodes on a database, and how to let time pass. */
const twoNodes = () => {
  const random = (label: string) => new SeededRandom(1, label)
  const clock = new VirtualClock(0, random("clock"))
  const scheduler = new VirtualScheduler(random("scheduler"))
  const audit = new NodesAudit(link, () => clock.elapsed)
  const database = new NodesDatabase(link, audit)
  const processes: Array<NodeProcess> = []
  const world = {
    audit,
    board: new NodeFaults(clock, random("board")),
    clock,
    database,
    link,
    observe: () => {},
    parts: SHIPPED_NODE,
    processOf: (number: number) => processes[number - 1],
    random: random("world"),
    scheduler: scheduler as Scheduler.Scheduler
  }
  const pass = (millis: number) => {
    const until = clock.elapsed + millis
    clock.schedule(until, () => {})
    while (clock.elapsed < until) if (!scheduler.step()) clock.advance()
    while (scheduler.step());
  }
  for (const node of [0, 1]) processes.push(new NodeProcess(world, node, node + 1))
  return { audit, database, one: processes[0] as NodeProcess, other: processes[1] as NodeProcess, pass }
}

const [plan] = makeNodesScenario({ seed: 1, nodes: 2, requests: 1 }).requests

const ask = (process: NodeProcess, responses: Array<NodeResponse>) => {
  if (plan !== undefined) process.ask({ plan, key: plan.id }, (response) => void responses.push(response))
}

describe("NodeProcess", () => {
  it("writes once it is elected, answers what another one forwards, and has it follow", () => {
    const { audit, database, one, other, pass } = twoNodes()
    one.elect()
    pass(500)
    const responses: Array<NodeResponse> = []
    ask(other, responses)
    pass(500)
    expect(responses).toEqual([{ status: 200, body: `1 ${database.head.hashes[1]}` }])
    expect([audit.followedTo(1), audit.followedTo(2), audit.violation]).toEqual([1, 1, null])
  })

  it("ends once another one took the term, and answers nothing while it stands still or is dead", () => {
    const { database, one, other, pass } = twoNodes()
    one.elect()
    pass(500)
    other.elect()
    pass(2_000)
    expect([database.holder, one.server.isDead, other.isElected]).toEqual([2, true, true])
    let isMourned = false
    other.onDeath(() => {
      isMourned = true
    })
    other.server.pause(1_000)
    const responses: Array<NodeResponse> = []
    ask(other, responses)
    pass(500)
    expect(responses).toEqual([])
    pass(1_000)
    expect(responses.length).toBe(1)
    other.kill()
    ask(other, responses)
    pass(500)
    expect([responses.length, isMourned]).toEqual([1, true])
  })
})
